import { Readable } from 'node:stream';
import { deriveActions } from '../answers/actions/derive.ts';
import { changeAction } from '../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../storage/queries/list-actions.ts';
import { importAnswers } from '../answers/import/import-answers.ts';
import { prepareIngest } from '../crawlers/ingest/prepare-ingest.ts';
import { ingestFiles } from '../crawlers/ingest/ingest.ts';
import { keepFileVersion, writeListContent } from '../crawlers/operators/file-versions.ts';
import { daysOfMonth, lastMonth } from '../publishing/publish-months.ts';
import { publishPeriod } from '../publishing/publish-report.ts';
import { newId } from '../values/uuid.ts';
import type { Source } from '../rows/source.ts';
import type { Store } from '../storage/store.ts';
import { importRows } from '../transfer/import-rows.ts';
import { prompts as promptRows } from '../transfer/resources/prompts.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { countWorkspace } from '../workspaces/remove-workspace.ts';
import { tagPrompts } from '../workspaces/tags.ts';
import { addSubject } from '../workspaces/write-subject.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { demoAnswers, demoPrompts } from './answers.ts';
import { createCalendar, days, halfDays } from './calendar.ts';
import type { MomentOf } from './calendar.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { judgeDemo } from './stances.ts';
import story from './story.json' with { type: 'json' };

/** The workspace that was filled, and how much it has. */
export type FilledDemo = Awaited<ReturnType<typeof fillDemo>>;

interface Effects {
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** The seed of the demo. Another number gives another demo. */
const seed = 20_260_929;

/**
 * Makes the demo's workspace: the same data for the same moment. Uses an operator's imports:
 * prompts as rows, crawlers as lines of a log, and raw answers, from which the rest follows.
 */
export async function fillDemo(store: Store, { clock, signal }: Effects) {
  const [brand = { name: '' }, ...competitors] = story.players.map(({ name, domain }) => ({
    name,
    domains: [domain],
  }));
  const workspace = await createWorkspace(store, { slug: 'demo', name: 'Demo', brand, clock });
  for (const words of competitors) await addSubject(store, workspace.id, { words, clock });
  const rows = demoRows(clock());
  const shared = { workspaceId: workspace.id, format: 'ndjson', clock, signal } as const;
  await importRows(store, { ...shared, resource: promptRows, source: ndjson(rows.prompts) });
  for (const [tag, ids] of rows.topics) {
    await tagPrompts(store, workspace.id, { ids, tag, isTopic: true });
  }
  await ingestLog(store, workspace.id, { log: rows.log, clock, signal });
  await importAnswers(store, { ...shared, source: ndjson(rows.answers) });
  await judgeDemo(store, workspace.id, { clock });
  await reviewActions(store, workspace.id, createCalendar(clock()));
  const publishedBy = 'the command line';
  const month = { id: newId(clock), ...daysOfMonth(lastMonth(clock())), publishedBy };
  await publishPeriod(store, workspace.id, month, { userId: null, clock });
  return {
    workspace,
    promptId: rows.answers.at(-1)?.prompt_id ?? '',
    counts: await countWorkspace(store, workspace.id),
  };
}

/** Rows as they are imported. */
export function demoRows(nowMs: number) {
  const momentOf = createCalendar(nowMs);
  const random = createRandom(seed);
  const prompts = demoPrompts(momentOf);
  return {
    prompts: prompts.map(({ row }) => row),
    /** The prompts of each topic. */
    topics: [...Map.groupBy(prompts, ({ topic }) => topic)].map(
      ([topic, own]) => [topic, own.map(({ row }) => row.id)] as const,
    ),
    answers: demoAnswers(prompts, { momentOf, random }),
    log: demoLog(momentOf, random),
  };
}

function ndjson(rows: readonly object[]): Source {
  const stream = Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
  return { name: "the demo's rows", stream, bytesTotal: undefined };
}

/** Reads the log as `overheard hits ingest` does, with example lists that cover its whole time. */
async function ingestLog(
  store: Store,
  workspaceId: string,
  { log, clock, signal }: Effects & { log: readonly string[] },
): Promise<void> {
  for (const [fileId, network] of demoLists) {
    const content = writeListContent([`${network}.0/24`]);
    const [firstMs, lastMs] = [clock() - days * dayMs, clock()];
    await keepFileVersion(store.writer, { fileId, content, firstMs, lastMs });
  }
  const context = await prepareIngest(store, { workspaceId, format: 'auto', clock, signal });
  await ingestFiles(['-'], context, { stdin: Readable.from([Buffer.from(`${log.join('\n')}\n`)]) });
}

/** The statuses that actions reach, by their place, and after how many days. */
const courses: ReadonlyArray<ReadonlyArray<readonly [status: ActionStatus, afterDays: number]>> = [
  [],
  [
    ['in_progress', 1],
    ['done', 8],
  ],
  [],
  [['in_progress', 3]],
  [['dismissed', 2]],
];

/**
 * Derives actions after each period, as people would have, and changes the status of the first
 * ones.
 */
async function reviewActions(store: Store, workspaceId: string, momentOf: MomentOf): Promise<void> {
  const clockAt = (day: number) => () => Date.parse(momentOf(day, 0.6));
  for (const day of [halfDays - 1, days - 1]) {
    const derive = { workspaceId, windowDays: halfDays, clock: clockAt(day) };
    const { opened } = await deriveActions(store, derive);
    for (const [place, { id }] of opened.entries()) {
      const course = courses[place % courses.length] ?? [];
      for (const [status, afterDays] of course.filter(([, after]) => day + after < days)) {
        await changeAction(store, workspaceId, { id, status, clock: clockAt(day + afterDays) });
      }
    }
  }
}

const linesCount = 3000;
const forgedShare = 0.07;
/** List each visitor as often as its weight says. */
const visitors = story.visitors.flatMap((visitor) =>
  Array.from({ length: visitor.weight }, () => visitor),
);
const statuses = ['200', '200', '200', '200', '200', '200', '200', '200', '304', '404'];

/** Example lists with an invented network for each file of an operator. */
const demoLists: ReadonlyMap<string, string> = new Map(
  story.visitors.flatMap(({ list }, index) =>
    list === null ? [] : [[list, `45.${64 + index}.0`]],
  ),
);

/** Lines of the site's access log: requests by AI crawlers, more of them each week. */
function demoLog(momentOf: MomentOf, random: Random): string[] {
  return Array.from({ length: linesCount }, () => {
    const day = Math.min(days - 1, Math.floor(Math.sqrt(random.next()) * days));
    const [date = '', time = ''] = momentOf(day, random.next()).split(/[T.]/);
    const { token, list } = random.pick(visitors);
    const isForged = list !== null && random.isChance(forgedShare);
    const network = isForged ? '185.220.101' : (demoLists.get(list ?? '') ?? '45.90.1');
    const address = `${network}.${1 + Math.floor(random.next() * 254)}`;
    const path = random.pick(isForged ? story.forgeries : story.visits);
    const status = isForged ? '404' : statusOf(path, token, random);
    const request = `"GET ${path} HTTP/1.1" ${status} ${200 + Math.floor(random.next() * 60_000)}`;
    return `acme.example ${address} - - [${ncsaDate(date)}:${time} +0000] ${request} "-" "Mozilla/5.0 (compatible; ${token}/1.0)"`;
  });
}

/** A firewall keeps one page from two crawlers. */
function statusOf(path: string, token: string, random: Random): string {
  const isRefused = path === '/docs/api' && /^(?:GPTBot|PerplexityBot)$/.test(token);
  return isRefused ? '403' : random.pick(statuses);
}

function ncsaDate(date: string): string {
  const month = new Date(date).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  return `${date.slice(8)}/${month}/${date.slice(0, 4)}`;
}
