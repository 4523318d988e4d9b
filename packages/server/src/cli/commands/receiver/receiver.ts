import { isReceiverHost, receiverHosts, setUpSteps } from '../../../access/receiver-hosts.ts';
import { addReceiver, endReceiver, listReceivers, skipsOf } from '../../../access/receivers.ts';
import { settings } from '../../../config.ts';
import { createFormats } from '../../../crawlers/formats/file-formats.ts';
import { noteEvent } from '../../../people/events.ts';
import { Refusal } from '../../../refusals.ts';
import { findWorkspace, listWorkspaces } from '../../../workspaces/workspaces.ts';
import {
  defineGroup,
  defineStoreCommand,
  defineWorkspaceCommand,
  word,
} from '../../define/define-command.ts';
import { serverAddress, text } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { parseSite } from '../../filters/parse-log-options.ts';

const { workspace } = settings;

const addCommand = defineWorkspaceCommand({
  name: 'add',
  summary: 'make an address to which a host sends the lines of its log',
  description:
    'Makes a receiver and prints its address alone on stdout, this once: only the hash of its token is stored. `overheard serve` takes lines there from the next request on.',
  options: {
    from: {
      value: '<host>',
      summary: `where the lines come from: ${Object.keys(receiverHosts).join(', ')}`,
      choices: Object.keys(receiverHosts),
      default: 'other',
    },
    site: text('<name>', "the site's name, if the lines do not have it"),
    format: {
      value: '<name>',
      summary: 'format of the lines, as `overheard hits ingest --format` takes it',
      default: 'auto',
    },
    publicUrl: serverAddress,
  },
  json: '{address, secret, id, from, site}',
  examples: [
    'overheard receiver add --workspace acme --from vercel --public-url https://overheard.acme.com',
    'overheard receiver add --workspace acme --site www.acme.com',
  ],
  run: async ({ io, store, workspaceId, slug }, { from, site, format, publicUrl }) => {
    const host = isReceiverHost(from) ? from : 'other';
    createFormats(format);
    const wanted = { workspaceId, host, site: parseSite(site) ?? null, format, clock: io.clock };
    const { record, token, secret } = await store.access.transaction().execute(async (access) => {
      const added = await addReceiver({ ...store, access }, wanted);
      const facts = { name: receiverHosts[host], last_four: added.record.last_four };
      await noteEvent(
        access,
        { userId: null, clock: io.clock },
        { workspaceId, kind: 'receiver_added', facts },
      );
      return added;
    });
    const address = `${publicUrl}/ingest/${token}`;
    const steps = setUpSteps(host, { address, secret, dialect: store.dialect });
    return {
      json: { address, secret, id: record.id, from: host, site: record.site },
      text: address,
      words: [
        `Made a receiver of ${slug} (id ${record.id}). Its address is shown this once.`,
        // The address is on stdout already.
        ...steps.flatMap(({ words, text: copied }) => [
          words,
          ...(copied === undefined || copied.includes(token) ? [] : [`  ${copied}`]),
        ]),
      ],
    };
  },
});

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the receivers, never their addresses',
  description: 'Lists the receivers of one workspace or of all, with what came.',
  options: { workspace },
  json: '{"receivers":[{id, workspace, from, site, last_four, state, created_at, received_at, lines, hits, skipped, skipped_at, skips}]}',
  examples: ['overheard receiver list', 'overheard receiver list --workspace acme'],
  run: async ({ store }, { workspace: slug }) => {
    const only = slug === undefined ? undefined : await findWorkspace(store.reader, slug);
    const workspaces = only === undefined ? await listWorkspaces(store.reader) : [only];
    const slugs = new Map(workspaces.map((each) => [each.id, each.slug]));
    const all = await listReceivers(store.access, { workspaceId: only?.id });
    const receivers = all.map((each) => ({
      id: each.id,
      workspace: slugs.get(each.workspace_id) ?? '',
      from: each.host,
      site: each.site,
      last_four: each.last_four,
      state: each.ended_at === null ? 'live' : 'ended',
      created_at: each.created_at,
      received_at: each.received_at,
      lines: each.lines,
      hits: each.hits,
      skipped: each.skipped,
      skipped_at: each.skipped_at,
      skips: skipsOf(each),
    }));
    return {
      json: { receivers },
      table: tableOf(receivers, 'No receiver yet: overheard receiver add --workspace SLUG', {
        ID: ({ id }) => id,
        WORKSPACE: (each) => each.workspace,
        FROM: ({ from }) => from,
        SITE: ({ site }) => site,
        'ENDS IN': (each) => each.last_four,
        STATE: ({ state }) => state,
        'LAST LINES': (each) => each.received_at,
        LINES: ({ lines }) => lines,
        'NEW HITS': ({ hits }) => hits,
        SKIPPED: ({ skipped }) => skipped,
      }),
    };
  },
});

const removeCommand = defineStoreCommand({
  name: 'remove',
  summary: 'end a receiver',
  description:
    'Ends a receiver for good: every server refuses its address from the next request on. Lines that it took before are still read.',
  arguments: { id: word('its id, from `overheard receiver list`') },
  json: '{id}',
  examples: ['overheard receiver remove 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  run: async ({ io, store }, { id: typed }) => {
    const ended = await store.access.transaction().execute(async (access) => {
      const receiver = await endReceiver(access, { id: typed.toLowerCase() }, io);
      if (receiver === undefined) throw new Refusal('receiver_not_found', { id: typed });
      const { workspace_id: workspaceId, host, last_four } = receiver;
      await noteEvent(
        access,
        { userId: null, clock: io.clock },
        { workspaceId, kind: 'receiver_ended', facts: { name: receiverHosts[host], last_four } },
      );
      return receiver;
    });
    return {
      json: { id: ended.id },
      words: `Ended the receiver …${ended.last_four} of ${receiverHosts[ended.host]}.`,
    };
  },
});

export const receiverCommand = defineGroup({
  name: 'receiver',
  summary: 'addresses to which hosts send the lines of their logs',
  description:
    'Receivers: a site on Vercel, Netlify, Cloudflare, Fastly or CloudFront has no log file, but its host can send its lines to `overheard serve`.',
  commands: [addCommand, listCommand, removeCommand],
});
