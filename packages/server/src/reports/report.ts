import type { ReportRow, ShareRow, Surface } from '@overheard/contract';
import { limits } from '@overheard/contract';
import { listGaps, promptsOf, readGapFilter, topicOfGap } from '../storage/gaps.ts';
import { readTagsByPrompt } from '../storage/prompt-tags.ts';
import { parseSteps } from '../storage/queries/action-parts.ts';
import { listActions } from '../storage/queries/list-actions.ts';
import { isOfSurface } from '../storage/queries/surface-filter.ts';
import { endOfDay, startOfDay } from '../values/time/utc-day.ts';
import { readEngineAccess } from './engine-access/engine-access.ts';
import { readPeriodFigures } from './period-report.ts';
import type { LostPrompt } from './lost.ts';
import type { ReportQuery } from './period-report.ts';
import type { ReportSource } from './report-source.ts';
import { readPresented } from './stances/presented.ts';
import type { TopicRow } from './topics.ts';
import { sentenceText } from './story/sentences.ts';
import type { Period } from './shares/windows.ts';
import { windowsOf } from './shares/windows.ts';
import { sql } from 'kysely';

const gapsMax = 3;

/** Reads how the brand is doing in a period, as the API has it. */
export async function readReport(source: ReportSource, query: ReportQuery): Promise<ReportRow> {
  const { tag, ...period } = query;
  const { story, surfaces, subjects, engines, moved, lost, topics } = await readPeriodFigures(
    source,
    query,
  );
  const [window] = windowsOf(period, undefined);
  const addressOf = await createAddresses(source);
  const [brand] = subjects;
  const { head, beside } = surfaces;
  const ofSurfaces = [
    ...(brand === undefined ? [] : [{ surface: head, ...figuresOf(brand) }]),
    ...(beside === null ? [] : [{ surface: 'api' as const, ...figuresOf(beside) }]),
  ];
  return {
    ...period,
    before_from: window?.before.from ?? period.from,
    before_to: window?.before.to ?? period.to,
    story: [story.headline, ...story.lines].map(sentenceText),
    surfaces: ofSurfaces,
    subjects: byCitations(subjects)
      .slice(0, limits.reportSubjectsMax)
      .map((row) => ({ name: row.name, type: row.subject_type, ...figuresOf(row) })),
    engines: engines
      .toSorted((left, right) => right.runs - left.runs)
      .map((row) => ({
        engine: row.engine ?? '',
        ...figuresOf(row),
        refused: row.refused ?? 0,
        empty: row.empty ?? 0,
        failed: row.failed ?? 0,
      })),
    lost: await readLost(source, {
      period,
      head,
      addressOf,
      lost: lost.slice(0, limits.reportPromptsMax),
    }),
    moved: await Promise.all(
      moved.slice(0, limits.reportPromptsMax).map((row) => promptOf(row, addressOf)),
    ),
    gaps: await readTopGaps(source, tag, addressOf),
    crawlers: (await readEngineAccess(source, period)).stories.slice(0, limits.reportCrawlersMax),
    topics: topics.flatMap(topicOf).slice(0, limits.reportPromptsMax),
    gap_topics: await readGapTopics(source, tag),
    stances: await readPresented(source, { ...query, surface: head }),
  };
}

/** A topic of the market with counted runs. */
function topicOf(row: TopicRow): ReportRow['topics'] {
  const { topic, prompts, brand, rival, isLost, isOutsideMarket } = row;
  if (brand === null || isOutsideMarket) return [];
  const leader = { leader: rival?.name ?? null, leader_cited: rival?.cited ?? null };
  return [{ topic, prompts, ...figuresOf(brand), ...leader, is_lost: isLost }];
}

/** The brand first, then the competitors, the most cited first. */
function byCitations(rows: readonly ShareRow[]): ShareRow[] {
  const rank = ({ subject_type: type, cited }: ShareRow) =>
    type === 'brand' ? Number.POSITIVE_INFINITY : cited;
  return rows.toSorted((left, right) => rank(right) - rank(left));
}

function figuresOf(row: ShareRow) {
  return {
    runs: row.runs,
    cited: row.cited,
    rate: row.rate,
    rate_low: row.rate_low,
    rate_high: row.rate_high,
    mentions: row.mentions,
    sov: row.sov,
    runs_compared: row.runs_compared,
    rate_before: row.rate_before,
    rate_compared: row.rate_compared,
    rate_verdict: row.rate_verdict,
    not_compared: row.not_compared,
  };
}

async function promptOf(row: ShareRow, addressOf: AddressOf) {
  const id = row.prompt_id ?? '';
  return {
    prompt_id: id,
    prompt: row.prompt ?? '',
    ...figuresOf(row),
    address: await addressOf('prompts', id),
  };
}

async function readLost(
  source: ReportSource,
  {
    lost,
    addressOf,
    ...where
  }: {
    lost: readonly LostPrompt[];
    period: Period;
    head: Surface;
    addressOf: AddressOf;
  },
): Promise<ReportRow['lost']> {
  const rows: ReportRow['lost'] = [];
  for (const { brand, leader } of lost) {
    const run = await findLostAnswer(source, { brand, leader, ...where });
    rows.push({
      ...(await promptOf(brand, addressOf)),
      leader: leader.name,
      leader_cited: leader.cited,
      answer: run === undefined ? null : await addressOf('runs', run),
    });
  }
  return rows;
}

/** The last counted answer to a prompt that cites the leader and not the brand. */
async function findLostAnswer(
  { db, workspaceId }: ReportSource,
  {
    brand,
    leader,
    period: { from, to },
    head,
  }: { brand: ShareRow; leader: ShareRow; period: Period; head: Surface },
): Promise<string | undefined> {
  const run = await db
    .selectFrom('runs')
    .select('runs.id')
    .where('runs.workspace_id', '=', workspaceId)
    .where('prompt_id', '=', brand.prompt_id)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .where('outcome', '=', 'answered')
    .where('branded', '=', false)
    .where(isOfSurface(head))
    .where(({ exists, not, selectFrom }) => {
      const cites = ({ subject_id: subjectId }: ShareRow) =>
        exists(
          selectFrom('detections')
            .select('detections.id')
            .where('detections.workspace_id', '=', workspaceId)
            .whereRef('detections.run_id', '=', 'runs.id')
            .where('detections.subject_id', '=', subjectId)
            .where('cited', '=', true),
        );
      return cites(leader).and(not(cites(brand)));
    })
    .orderBy('run_at', 'desc')
    .orderBy('runs.id')
    .limit(1)
    .executeTakeFirst();
  return run?.id;
}

async function readTopGaps(
  source: ReportSource,
  tag: string | undefined,
  addressOf: AddressOf,
): Promise<ReportRow['gaps']> {
  const gaps = await listGaps(source, { status: 'open', tag });
  return Promise.all(
    gaps.slice(0, gapsMax).map(async ({ parts, ...gap }) => ({
      id: gap.id,
      recommendation: gap.recommendation,
      priority: gap.priority,
      impact_score: gap.impact_score,
      steps: [...parseSteps(parts)],
      address: await addressOf('actions', gap.id),
    })),
  );
}

/** The open actions of topics, those of the market first. */
async function readGapTopics(
  { db, workspaceId }: ReportSource,
  tag: string | undefined,
): Promise<ReportRow['gap_topics']> {
  const tags = await readTagsByPrompt(db, workspaceId);
  if (tags.size === 0) return [];
  const { isOutside, hasTag } = await readGapFilter(db, workspaceId, tag);
  const actions = await listActions(db, workspaceId, { status: 'open' });
  const [market, outside] = [
    actions.filter((action) => hasTag(action) && !isOutside(action)),
    actions.filter((action) => hasTag(action) && isOutside(action)),
  ];
  return [market, outside].flatMap((some, place) =>
    [...Map.groupBy(some, (action) => topicOfGap(action, tags))].flatMap(([topic, own]) =>
      topic === null
        ? []
        : [
            {
              topic,
              gaps: own.length,
              prompts: new Set(own.flatMap(promptsOf)).size,
              impact_score: own[0]?.impact_score ?? null,
              step: parseSteps(own[0]?.parts ?? null)[0] ?? null,
              is_outside_market: place === 1,
              actions: own.map(({ id }) => id),
            },
          ],
    ),
  );
}

/** The letters of the short addresses: `/w/acme/a/3c1d` is the page of an answer. */
const letters = { runs: 'a', prompts: 'p', actions: 'g' } as const;

/** Makes the path of the page of a row, with the beginning of its id. */
type AddressOf = (table: keyof typeof letters, id: string) => Promise<string>;

const lengthMin = 4;
/** Two more digits than today's rows need, so that an address stays unique with 256 times as many. */
const spare = 2;

/** Makes short addresses of one workspace. */
async function createAddresses({ db, workspaceId }: ReportSource): Promise<AddressOf> {
  const { slug } = await db
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return async function addressOf(table, id) {
    const neighbour = async (isBefore: boolean) => {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where workspace_id = ${workspaceId}
        and id ${sql.raw(isBefore ? '<' : '>')} ${id}
        order by id ${sql.raw(isBefore ? 'desc' : 'asc')} limit 1`.execute(db);
      return rows[0]?.id ?? '';
    };
    // Among all ids, one of the two neighbours in their order shares the longest beginning.
    const shared = [await neighbour(true), await neighbour(false)].map((other) =>
      sharedLength(id, other),
    );
    const length = Math.max(lengthMin, ...shared.map((each) => each + 1 + spare));
    return `/w/${slug}/${letters[table]}/${id.slice(0, length)}`;
  };
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
