import { pruneAddresses } from '../../../crawlers/hits/prune-addresses.ts';
import { keepAddresses } from '../../../crawlers/settings.ts';
import { plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { parsedText } from '../../define/options.ts';

export const pruneCommand = defineWorkspaceCommand({
  name: 'prune',
  summary: 'drop data that is past its retention',
  description:
    'Drops the client addresses of hits that are older than the workspace keeps them, 30 days unless its setting says otherwise. Hits whose verdict waits for a list are judged first, and keep their address for 90 days more if no list is there. The hits stay. `hits ingest` does the same at its end.',
  options: {
    keepAddressesDays: parsedText('<days>', 'days to keep addresses from now on, 0 to 3650', {
      parse: (text) => (/^\d{1,4}$/.test(text) && Number(text) <= 3650 ? Number(text) : undefined),
      expected: 'It must be a number of days from 0 to 3650.',
    }),
  },
  json: '{dropped}',
  examples: [
    'overheard prune --workspace acme',
    'overheard prune --workspace acme --keep-addresses-days 7',
  ],
  run: async ({ io, store, workspaceId }, { keepAddressesDays: days }) => {
    if (days !== undefined) await keepAddresses(store, workspaceId, { days });
    const dropped = await pruneAddresses(store, workspaceId, { nowMs: io.clock() });
    return {
      json: { dropped },
      words:
        dropped === 0
          ? 'No hit has an address that old.'
          : `Dropped the ${dropped === 1 ? 'address' : 'addresses'} of ${plural(dropped, 'hit')}.`,
    };
  },
});
