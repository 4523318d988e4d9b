import type { ShareRow, StanceRow } from '@overheard/contract';
import type { StancePage } from '../../../reports/stances/stance-page.ts';
import { recommendationsOf } from '../../../reports/stances/stance-words.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { ruler } from '../../charts/ruler.ts';
import { rateCell, sovCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { counts, drawn, table } from '../../parts/table.ts';
import { mayShowTexts } from '../../request/page-context.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { viewLink } from '../../request/view.ts';

const purposesShown = 20;

/** Who is recommended, and who is advised against. */
export function subjectsPart(context: WorkspaceContext, { subjects, voices }: StancePage): Html {
  const voiceOf = new Map(voices.map((row): [string, ShareRow] => [row.subject_id, row]));
  const voice = ({ subject_id: id }: StanceRow): Content => {
    const row = voiceOf.get(id);
    return row === undefined ? '–' : sovCell(row);
  };
  return html`<section>
    ${table(
      {
        title: 'Who is recommended',
        empty: '',
        columns: [
          { title: 'Name', cell: nameOf },
          drawn(rateRulerOf),
          { title: 'Recommended', cell: recommendedCell, isNumber: true },
          {
            title: 'Share of recommendations',
            cell: ({ recommended_share: sov, runs }) => sovCell({ sov, runs }),
            isNumber: true,
          },
          { title: 'Share of voice', cell: voice, isNumber: true },
          counts('First choice', (row: StanceRow) => row.first_choice ?? 0),
          counts('Mixed', (row: StanceRow) => row.mixed ?? 0),
          {
            title: 'Advised against',
            cell: ({ subject_id, advised_against: warnings }: StanceRow) =>
              warnings === null || warnings === 0
                ? '0'
                : html`<a href="${viewLink(context, 'answers', { subject_id, stance: 'advised_against' })}">${thousands(warnings)}</a>`,
            isNumber: true,
          },
          counts('Unknown to the engine', (row: StanceRow) => row.unknown_to_engine),
        ],
      },
      subjects,
    )}
  </section>`;
}

/** What the brand is recommended for, and what others are. */
export function purposesPart(context: WorkspaceContext, { purposes }: StancePage): Content {
  if (!mayShowTexts(context)) return undefined;
  const rows = [...Map.groupBy(purposes, ({ purpose }) => purpose ?? '')]
    .map(([purpose, own]) => ({ purpose, ...sidesOf(own) }))
    .filter(({ all }) => all > 0)
    .toSorted((one, other) => other.all - one.all);
  return html`<section id="purposes">
    ${table(
      {
        title: 'What for',
        empty: 'No judged answer says what it recommends anyone for.',
        columns: [
          {
            title: 'Recommended for',
            cell: ({ purpose }) => html`<span dir="auto" data-foreign>${purpose}</span>`,
          },
          { title: 'Answers for you', cell: ({ brand }) => countCell(brand), isNumber: true },
          {
            title: 'Most recommended rival',
            cell: ({ rival }) =>
              rival === undefined ? 'none' : html`${rival.name}, ${countCell(rival)}`,
          },
          { title: 'Answers for anyone', cell: ({ all }) => thousands(all), isNumber: true },
        ],
      },
      rows.slice(0, purposesShown),
    )}
    ${rows.length > purposesShown && html`<p class="hint">The ${purposesShown} most frequent of ${thousands(rows.length)} are shown.</p>`}
  </section>`;
}

/** The brand in each topic, and who is recommended most there. */
export function topicsPart(context: WorkspaceContext, { topics }: StancePage): Content {
  const rows = [...Map.groupBy(topics, ({ tag }) => tag)]
    .filter(([topic]) => topic !== null)
    .map(([topic, own]) => ({ topic: topic ?? '', ...sidesOf(own) }));
  if (rows.length === 0) return undefined;
  return html`<section id="topics">
    ${table(
      {
        title: 'By topic',
        empty: '',
        columns: [
          {
            title: 'Topic',
            cell: ({ topic }) =>
              html`<a data-foreign href="${viewLink(context, 'stances', { tag: topic })}">${topic}</a>`,
          },
          {
            title: 'You, recommended',
            cell: ({ brand }) => (brand === undefined ? '–' : recommendedCell(brand)),
            isNumber: true,
          },
          {
            title: 'Most recommended rival',
            cell: ({ rival }) =>
              rival === undefined ? 'none' : html`${rival.name}, ${recommendedCell(rival)}`,
          },
          {
            title: 'Warnings against you',
            cell: ({ brand }) => thousands(brand?.advised_against ?? 0),
            isNumber: true,
          },
        ],
      },
      rows,
    )}
  </section>`;
}

/** The brand's row of a group, and that of the competitor with the most recommendations. */
function sidesOf(own: readonly StanceRow[]) {
  const brand = own.find(({ subject_type: type }) => type === 'brand');
  const [rival] = own
    .filter((row) => row.subject_type === 'competitor' && recommendationsOf(row) > 0)
    .toSorted((one, other) => recommendationsOf(other) - recommendationsOf(one));
  return { brand, rival, all: own.reduce((sum, row) => sum + recommendationsOf(row), 0) };
}

function nameOf({ subject_type: type, name }: StanceRow): Content {
  if (type === 'brand') return html`<strong>${name}</strong> <span class="tag">you</span>`;
  return name;
}

function rateRulerOf(row: StanceRow): Html {
  const { recommended_rate: value, recommended_rate_low: low, recommended_rate_high: high } = row;
  return ruler([{ value, low, high, isBrand: row.subject_type === 'brand' }]);
}

function recommendedCell({ recommended_rate: rate, cited }: StanceRow): Html {
  return rateCell({ rate, runs: cited });
}

function countCell(row: StanceRow | undefined): Content {
  if (row === undefined) return '0';
  return html`<span title="of ${amount(row.cited, 'judged answer')}">${thousands(recommendationsOf(row))}</span>`;
}
