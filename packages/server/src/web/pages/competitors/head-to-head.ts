import { engineName } from '../../../values/engine.ts';
import { pointsWords } from '../../../values/figure-words.ts';
import { inList } from '../../../values/in-list.ts';
import { amount, amountOrNo, plural, thousands } from '../../../values/plural.ts';
import { compareLeads } from '../../../values/statistics/compare.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import type {
  CompetitorPage,
  HeadToHead,
  PairCount,
  PairedPromptRow,
} from '../../../reports/head-to-head.ts';
import { rateDot, ruler } from '../../charts/ruler.ts';
import { drawTrend } from '../../charts/trend.ts';
import { rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { lineup } from '../../parts/lineup.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { plain, story, sub } from '../../parts/story.ts';
import type { StoryWords } from '../../parts/story.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { counts, csvOf, drawn, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { titleLine } from '../../parts/title-line.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { notFound } from '../../request/page-fault.ts';
import { get, pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';

/** The page that compares the brand with one competitor: who leads, where, and the prompts behind it. */
export const headToHeadRoute: WorkspaceRoute = get('/w/:slug/competitors/:id', 'viewer', show, {
  dependsOn: () => '',
});

const promptsMax = 3;

interface Names {
  readonly brand: string;
  readonly rival: string;
}

async function show(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const competitorId = pathPart(context, 'id').toLowerCase();
  const today = utcDay(context.clock());
  const query = { ...runFilters(view), competitorId, today };
  const report = await context.reports.read('headToHead', query);
  if (report === null) throw notFound();
  const { competitor, prompts } = report;
  const filters = await context.reports.read('filters', {});
  const names = { brand: filters.brandName ?? 'You', rival: competitor.name };
  if (isCsv) return csvOf(context, 'head-to-head', fileColumns(names), prompts);
  const controls = viewControls(context, view, { ...filters, hasCsv: true });
  const content =
    report.total.runs === 0
      ? html`<p class="notice">No counted answer fits. Choose other days or filters.</p>`
      : parts(context, { report, view, names });
  const lead = html`<a href="${viewLink(context, 'competitors')}">All competitors</a>,
    ${periodWords(view.period)}, UTC`;
  const title = `${names.brand} and ${names.rival}`;
  return workspacePage(context, { title, lead, controls, content });
}

function parts(
  context: WorkspaceContext,
  { report, view, names }: { report: HeadToHead; view: PageView; names: Names },
): Html {
  const { lead, engines, total, prompts, pages, surfaces } = report;
  return html`${story(leadWords(lead, names), 'sample')} ${sub(engineSentences(engines, names))}
    <div class="cols wide-left">
      ${trendPart(report, view, names)}
      <section id="by-engine">${table({ title: 'By engine', columns: engineColumns(names), empty: 'No engine.' }, engines)}</section>
    </div>
    ${surfaceNote(context, surfaces)} ${sameAnswerPart(total, names)}
    <div class="cols">
      ${winsPart(context, names.rival, wins(prompts, 1), names)}
      ${winsPart(context, names.brand, wins(prompts, -1), names)}
    </div>
    ${pagesPart(context, pages, names)}`;
}

/** Who leads, in a sentence. */
function leadWords({ change, verdict }: HeadToHead['lead'], { brand, rival }: Names) {
  if (verdict === 'within_chance') return `Neither ${brand} nor ${rival} leads for sure.`;
  if (verdict === 'not_comparable') {
    return `Not all answers were judged for ${rival}, so nobody can say who leads.`;
  }
  if (change === undefined || verdict === 'too_few') {
    return `Too few prompts to say whether ${brand} or ${rival} leads.`;
  }
  const [leader, tone] = change > 0 ? ([brand, 'up'] as const) : ([rival, 'down'] as const);
  const points = { text: `by ${pointsWords(change)}`, tone };
  return [plain(`${leader} leads `), points, plain(', more than chance would give.')];
}

/** The engines on which someone leads. */
function engineSentences(engines: HeadToHead['engines'], { brand, rival }: Names): StoryWords[][] {
  const led = (verdict: 'up' | 'down', name: string): StoryWords[][] => {
    const names = engines
      .filter(({ lead }) => lead.verdict === verdict)
      .map(({ engine }) => engineName(engine));
    return names.length === 0 ? [] : [[plain(`${name} leads on ${inList(names)}.`)]];
  };
  return [...led('down', rival), ...led('up', brand)];
}

function trendPart(
  { subjects, trends, total, prompts }: HeadToHead,
  { period, weeks }: PageView,
  { brand, rival }: Names,
): Html {
  const [own, other] = subjects;
  return html`<section class="chart" aria-label="Trend">
    ${
      own &&
      other &&
      lineup(
        [own, other].map((row) => ({
          label: `${row.name} appears in`,
          figure: rateCell(row),
          isOwn: row === own,
        })),
        undefined,
      )
    }
    ${drawTrend({
      buckets: trends?.total.buckets ?? [],
      title: `Answers in which ${brand} and ${rival} appear`,
      name: brand,
      rival: { name: rival, buckets: trends?.rival ?? [] },
      now: {
        from: period.from,
        words: weeks === undefined ? 'this period' : `these ${plural(weeks, 'week')}`,
      },
      sentence: html`<span id="sample" data-sample="${total.runs} ${total.runs}"
          >${amount(total.runs, 'answer')}</span
        >
        to ${plural(prompts.length, 'prompt')}. The band is the 95 % interval.`,
    })}
  </section>`;
}

function engineColumns({ brand, rival }: Names): Columns<HeadToHead['engines'][number]> {
  return [
    { title: 'Engine', cell: ({ engine }) => engineName(engine) },
    drawn(({ subjects }) => ruler(subjects.toReversed().map(rateDot))),
    { title: 'Who leads', cell: ({ lead }) => leaderCell(lead, { brand, rival }) },
  ];
}

function leaderCell({ change, verdict }: HeadToHead['lead'], { brand, rival }: Names): Html {
  if (verdict !== 'up' && verdict !== 'down') {
    const words = verdict === 'within_chance' ? '= neither' : 'cannot be said';
    return html`<span class="same" data-verdict="${verdict}">${words}</span>`;
  }
  const leader = verdict === 'up' ? brand : rival;
  return html`<span class="${verdict}" data-verdict="${verdict}">${leader} by ${pointsWords(change ?? 0)}</span>`;
}

/** Each answer once, by which of the two it shows, as a bar and in numbers. */
function sameAnswerPart(
  { runs, both, onlyBrand, onlyCompetitor, neither }: PairCount,
  { brand, rival }: Names,
): Html {
  const all = [
    { words: `Only ${rival}`, count: onlyCompetitor, look: 'them' },
    { words: 'Both', count: both, look: 'both' },
    { words: `Only ${brand}`, count: onlyBrand, look: 'own' },
    { words: 'Neither', count: neither, look: 'none' },
  ];
  const width = (count: number) => Math.round((count * 1000) / runs) / 10;
  return html`<section id="same-answer">
    ${titleLine('Who is in the same answer', `of ${amount(runs, 'answer')}`)}
    <svg class="parts" aria-hidden="true">
      ${all.map(({ count, look }, place) => {
        const before = all.slice(0, place).reduce((sum, each) => sum + each.count, 0);
        return html`<rect class="${look}" x="${width(before)}%" width="${width(count)}%" height="16" />`;
      })}
    </svg>
    <dl class="legend">
      ${all.map(
        ({ words, count, look }) =>
          html`<div>
            <dt><i class="${look}"></i>${words}</dt>
            <dd>${thousands(count)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** The prompts that one of the two wins beyond chance, the clearest first. `sign` is 1 for the rival. */
function wins(prompts: readonly PairedPromptRow[], sign: 1 | -1): PairedPromptRow[] {
  const gap = ({ onlyCompetitor, onlyBrand, runs }: PairedPromptRow) =>
    (sign * (onlyCompetitor - onlyBrand)) / runs;
  const tracked = prompts.filter(({ isTracked }) => isTracked);
  const leads = compareLeads(
    tracked.map(({ onlyBrand, onlyCompetitor }) =>
      sign === 1
        ? { onlyLeader: onlyCompetitor, onlyOther: onlyBrand }
        : { onlyLeader: onlyBrand, onlyOther: onlyCompetitor },
    ),
  );
  return tracked
    .filter((_, index) => leads[index])
    .toSorted((left, right) => gap(right) - gap(left));
}

function winsPart(
  context: WorkspaceContext,
  winner: string,
  prompts: readonly PairedPromptRow[],
  { brand, rival }: Names,
): Html {
  const rates = ({ runs, both, onlyBrand, onlyCompetitor }: PairedPromptRow) =>
    [onlyBrand, onlyCompetitor].map((only) => (both + only) / runs);
  const columns: Columns<PairedPromptRow> = [
    {
      title: 'Prompt',
      cell: ({ promptId, text, locale }) =>
        html`<a href="${viewLink(context, `prompts/${promptId}`)}" lang="${locale}">${text}</a>`,
    },
    drawn((row) =>
      ruler(
        rates(row).map((value, place) => ({ value, isBrand: place === 0 })),
        { hasGap: true },
      ),
    ),
    ...[brand, rival].map((name, place) => ({
      title: name,
      cell: (row: PairedPromptRow): Content =>
        rateCell({ rate: rates(row)[place] ?? null, runs: row.runs }),
      isNumber: true,
    })),
  ];
  const title = `${winner} wins ${amountOrNo(prompts.length, 'prompt')}${prompts.length > promptsMax ? ': the clearest' : ''}`;
  return html`<section>
    ${table({ title, columns, empty: 'None beyond chance.' }, prompts.slice(0, promptsMax))}
  </section>`;
}

function pagesPart(
  context: WorkspaceContext,
  pages: readonly CompetitorPage[],
  { brand, rival }: Names,
): Html {
  const columns: Columns<CompetitorPage> = [
    {
      title: 'Page',
      cell: ({ url, site }) =>
        html`<a href="${viewLink(context, `sources/${encodeURIComponent(site)}`)}">${url.replace(/^https?:\/\//, '')}</a>`,
    },
    counts('Answers', ({ gapRuns }) => gapRuns),
  ];
  const title = `Sources that bring ${rival} and not ${brand}`;
  const empty = `No answer with ${rival} and without ${brand} links a source.`;
  return html`<section id="sources">
    ${titleLine(title, `answers that link it, with ${rival} and without ${brand}`)}
    ${table({ caption: title, columns, empty }, pages)}
  </section>`;
}

/** The columns of the file: all prompts, with their answers by who appears. */
function fileColumns({ brand, rival }: Names): Columns<PairedPromptRow> {
  return [
    { title: 'Prompt', csv: ({ text }) => text },
    { title: 'Locale', csv: ({ locale }) => locale },
    { title: 'Answers', csv: ({ runs }) => runs },
    { title: `Only ${rival}`, csv: ({ onlyCompetitor }) => onlyCompetitor },
    { title: 'Both', csv: ({ both }) => both },
    { title: `Only ${brand}`, csv: ({ onlyBrand }) => onlyBrand },
    { title: 'Neither', csv: ({ neither }) => neither },
  ];
}
