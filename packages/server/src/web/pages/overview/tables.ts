import type { ShareRow } from '@overheard/contract';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { DrawnLoss } from '../../../reports/lost.ts';
import { amount } from '../../../values/plural.ts';
import { engineName } from '../../../values/engine.ts';
import { drawMultiple } from '../../charts/trend.ts';
import { rateRuler, ruler } from '../../charts/ruler.ts';
import { changeCell, rateCell, sampleNote } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { fold } from '../../parts/fold.ts';
import { drawn, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { titleLine } from '../../parts/title-line.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';
import { bucketWords } from './hero.ts';

/** Most prompts to list. The page of prompts has all. */
const promptsMax = 5;

/** The brand on each engine, the largest real change first. */
export function enginesPart(
  context: WorkspaceContext,
  { engines, trends }: OverviewPage,
  { period }: PageView,
): Content {
  if (engines.length < 2) return undefined;
  const trendOf = new Map(trends.engines.map((trend) => [trend.engine, trend]));
  const sorted = engines.toSorted(
    (left, right) => realChange(right) - realChange(left) || (right.rate ?? 0) - (left.rate ?? 0),
  );
  return html`<section id="by-engine">
    ${titleLine('By engine', html`<span id="engine-samples">${sampleNote(engines.map(({ runs }) => runs))}</span>. Scale 0 to 100 %. Grey is the time before.`)}
    <div class="multiples">
      ${sorted.map((row) => {
        const engine = row.engine ?? '';
        const { buckets, ...trend } = trendOf.get(engine) ?? { days: 7, buckets: [] };
        const title = `${engineName(engine)}, ${bucketWords(trend)}`;
        return html`<div>
          <h3><a href="${viewLink(context, '', { engine })}">${engineName(engine)}</a></h3>
          <p><span class="mid">${rateCell(row)}</span>${changeCell(row, 'rate')}</p>
          ${drawMultiple({ buckets, title, from: period.from, verdict: row.rate_verdict })}
        </div>`;
      })}
    </div>
  </section>`;
}

/** The size of a proven change; 0 for any other. */
function realChange({ rate_verdict: verdict, rate_change: change }: ShareRow): number {
  return verdict === 'up' || verdict === 'down' ? Math.abs(change ?? 0) : 0;
}

/** Who appears. A competitor links to its comparison with the brand. */
export function subjectsPart(context: WorkspaceContext, { subjects }: OverviewPage): Content {
  const columns: Columns<ShareRow> = [
    {
      title: 'Name',
      cell: ({ name, subject_type: type, subject_id: id }) =>
        type === 'brand'
          ? html`<strong>${name}</strong> <span class="tag own">you</span>`
          : html`<a href="${viewLink(context, `competitors/${id}`)}">${name}</a>`,
    },
    drawn(rateRuler),
    { title: 'Appears in', cell: rateCell, isNumber: true },
    { title: 'Change', cell: (row) => changeCell(row, 'rate') },
  ];
  return html`<section id="who-appears">
    ${table({ title: 'Who appears', columns, empty: 'No tracked name appears.' }, subjects)}
  </section>`;
}

/** Prompts of one topic lost to one rival, or a prompt alone, with the sums of their answers. */
interface Lost {
  readonly topic: string | null;
  readonly prompts: readonly DrawnLoss[];
  readonly rival: string;
  readonly brand: Pick<ShareRow, 'runs' | 'rate'>;
  readonly leader: Pick<ShareRow, 'runs' | 'rate'>;
}

/** One row per topic and rival with several lost prompts, then the other prompts. */
function lostByTopic(lost: readonly DrawnLoss[]): Lost[] {
  const groups = Map.groupBy(lost, ({ topic, leader }) =>
    topic === null ? null : JSON.stringify([topic, leader.subject_id]),
  );
  const isGroup = (own: readonly DrawnLoss[]) => own.length > 1 && own[0]?.topic !== null;
  const [several, alone] = [
    [...groups.values()].filter(isGroup),
    [...groups.values()].filter((own) => !isGroup(own)).flat(),
  ];
  return [...several, ...alone.map((each) => [each])].map((prompts) => ({
    topic: prompts.length > 1 ? (prompts[0]?.topic ?? null) : null,
    prompts,
    rival: prompts[0]?.leader.name ?? '',
    brand: pool(prompts.map(({ brand }) => brand)),
    leader: pool(prompts.map(({ leader }) => leader)),
  }));
}

function pool(
  rows: ReadonlyArray<Pick<ShareRow, 'runs' | 'cited'>>,
): Pick<ShareRow, 'runs' | 'rate'> {
  const sum = (field: 'runs' | 'cited') => rows.reduce((total, row) => total + row[field], 0);
  return { runs: sum('runs'), rate: sum('cited') / sum('runs') };
}

/** Prompts on which someone else appears more often, beyond chance, by topic. */
export function lostPart(context: WorkspaceContext, { lost, promptCount }: OverviewPage): Content {
  const [first] = lost;
  const isOne = lost.every(({ leader }) => leader.subject_id === first?.leader.subject_id);
  const link = ({ prompt, brand }: DrawnLoss) =>
    html`<a href="${viewLink(context, `prompts/${brand.prompt_id ?? ''}`)}">${prompt}</a>`;
  const columns: Columns<Lost> = [
    {
      title: 'Prompt',
      cell: ({ topic, prompts }) =>
        topic === null
          ? prompts.map(link)
          : html`<b data-foreign>${topic}</b>
              ${fold(
                amount(prompts.length, 'prompt'),
                html`<ul>
                  ${prompts.map((each) => html`<li>${link(each)}</li>`)}
                </ul>`,
              )}`,
    },
    drawn(({ brand, leader }) =>
      ruler([{ value: brand.rate, isBrand: true }, { value: leader.rate }], { hasGap: true }),
    ),
    { title: 'You', cell: ({ brand }) => rateCell(brand), isNumber: true },
    {
      title: isOne ? (first?.leader.name ?? '') : 'Most shown',
      cell: ({ leader, rival }) =>
        html`${rateCell(leader)}${!isOne && html`<br /><span class="hint">${rival}</span>`}`,
      isNumber: true,
    },
  ];
  const all = html`<a href="${viewLink(context, 'prompts', { sort: 'least_cited' })}">${lost.length} of ${promptCount} prompts</a>`;
  return html`<section id="prompts-lost">
    ${titleLine('Prompts you lose', all)}
    ${table({ caption: 'Prompts you lose', columns, empty: 'No rival leads beyond chance.' }, lostByTopic(lost).slice(0, promptsMax))}
  </section>`;
}
