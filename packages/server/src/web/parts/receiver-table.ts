import { receiverHosts } from '../../access/receiver-hosts.ts';
import { skipsOf } from '../../access/receivers.ts';
import type { ListedReceiver } from '../../access/receivers.ts';
import { skipReasons } from '../../crawlers/log-line.ts';
import { thousands } from '../../values/plural.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { ago, dayWords } from './moment-words.ts';
import { counts, table } from './table.ts';
import type { Columns } from './table.ts';

/** How the lines of each site arrive: when the last came, how many, and what was skipped and why. */
export function receiverTable(
  { clock }: WorkspaceContext,
  receivers: readonly ListedReceiver[],
  change?: (receiver: ListedReceiver) => Content,
): Content {
  const nowMs = clock();
  const columns: Columns<ListedReceiver> = [
    { title: 'From', cell: ({ host }) => receiverHosts[host] },
    { title: 'Site', cell: ({ site }) => site ?? 'as the lines say' },
    { title: 'Ends in', cell: ({ last_four: end }) => html`<code>…${end}</code>` },
    {
      title: 'Last lines',
      cell: ({ received_at: at }) => (at === null ? 'none yet' : ago(at, nowMs)),
    },
    counts('Lines', ({ lines }) => lines),
    counts('New requests of bots', ({ hits }) => hits),
    { title: 'Skipped', cell: skipWords },
  ];
  const changeColumn = {
    title: 'Change',
    cell: (each: ListedReceiver) =>
      each.ended_at === null ? change?.(each) : `ended ${dayWords(each.ended_at)}`,
    isAction: true,
  };
  const isPast = ({ ended_at: endedAt }: ListedReceiver) => endedAt !== null;
  const all = change === undefined ? columns : [...columns, changeColumn];
  return table({ columns: all, isPast, empty: 'No receiver yet.' }, receivers);
}

function skipWords(receiver: ListedReceiver): Content {
  const { skipped, skipped_at: at } = receiver;
  if (at === null) return 'none';
  const skips = skipsOf(receiver);
  const words = Object.entries(skipReasons).flatMap(([reason, text]) =>
    skips[reason] === undefined ? [] : [`${thousands(skips[reason])} ${text}`],
  );
  return html`${thousands(skipped)}
    <span class="hint">last on ${dayWords(at)}: ${words.join(', ')}</span>`;
}
