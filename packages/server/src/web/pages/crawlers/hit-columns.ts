import { shownEvidence } from '../../../crawlers/hits/hit.ts';
import type { LatestHit } from '../../../reports/hits/latest-hits.ts';
import type { BotConduct } from '../../../reports/robots/robots-report.ts';
import { reasons } from '../../../crawlers/verify/verdict.ts';
import { html, ownWords } from '../../markup/html.ts';
import { shortMinute } from '../../parts/moment-words.ts';
import { counts, texts } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { address, addressColumn } from './crawl-columns.ts';

/** The columns of the latest requests. Leaves out evidence if the page may not show it. */
export function hitColumns(
  nowMs: number,
  link: (bot: string) => string,
  { hasEvidence }: { hasEvidence: boolean },
): Columns<LatestHit> {
  const evidence: Column<LatestHit> = {
    title: 'Why',
    cell: (hit) => {
      const { reason, facts } = whyWords(hit);
      return html`${ownWords(reason)}${facts !== '' && html` (${facts})`}`;
    },
    csv: (hit) => {
      const { reason, facts } = whyWords(hit);
      return facts === '' ? reason : `${reason} (${facts})`;
    },
  };
  return [
    { title: 'When', cell: (row) => shortMinute(row.hit_at, nowMs), csv: (row) => row.hit_at },
    {
      title: 'Bot',
      cell: ({ bot_name: name }) => html`<a href="${link(name)}">${name}</a>`,
      csv: (row) => row.bot_name,
    },
    addressColumn,
    { title: 'Status', cell: (row) => row.status ?? 'not logged', csv: (row) => row.status },
    {
      title: 'Verdict',
      cell: ({ verification }) => html`<span class="tag">${verification}</span>`,
      csv: ({ verification }) => verification,
    },
    ...(hasEvidence ? [evidence] : []),
  ];
}

/** Explains the verdict of a request with its evidence. */
function whyWords(hit: LatestHit): { reason: string; facts: string } {
  const evidence = shownEvidence(hit);
  if (evidence === undefined) return { reason: 'imported, without evidence', facts: '' };
  const { reason, list, prefix, host_name: name, agent, detail } = evidence;
  const facts = [list, prefix, name, agent, detail].filter((fact) => fact !== undefined);
  return { reason: reasons[reason], facts: facts.join(', ') };
}

const conclusions = {
  obeyed: 'obeyed',
  ignored: 'ignored',
  not_restricted: 'nothing was forbidden',
  unknown: 'not known',
} as const satisfies Record<BotConduct['conclusion'], string>;

/** How each bot follows robots.txt, by its verified requests. */
export const conductColumns = (nowMs: number): Columns<BotConduct> => [
  texts('Bot', (row) => row.bot_name),
  texts('Site', ({ host }) => host),
  {
    title: 'Rules',
    cell: ({ conclusion, first_ignored: first, ignores_by_policy: isPolicy }) =>
      html`${conclusions[conclusion]}${
        first !== null &&
        html`<span class="hint">
          first ${address({ host: null, path: first.path })},
          ${shortMinute(first.hit_at, nowMs)}${isPolicy && '; its operator says that robots.txt may not apply to it'}
        </span>`
      }`,
    csv: ({ conclusion }) => conclusion,
  },
  {
    title: 'Asked for robots.txt',
    cell: ({ asked }) => (asked === null ? 'no need' : asked ? 'yes' : 'never'),
    csv: ({ asked }) => (asked === null ? null : asked ? 'yes' : 'never'),
  },
  counts('Allowed', ({ verified }) => verified.allowed),
  counts('Disallowed', ({ verified }) => verified.disallowed),
  counts('In doubt', ({ verified }) => verified.unclear),
  counts('No file of that time', ({ verified }) => verified.unknown),
  counts('Disallowed, unverified', ({ unverified }) => unverified.disallowed),
];
