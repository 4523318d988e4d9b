import type { ReportRow } from '@overheard/contract';
import type { ReportSource } from '../reports/report-source.ts';
import { readReport } from '../reports/report.ts';
import { percent } from '../values/figure-words.ts';
import { printable } from '../values/printable.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';

const periodDays = 28;
const silentDays = 2;
const promptsMax = 5;

/** What a message says. The whole of it is posted as JSON. */
export interface Message {
  readonly type: string;
  readonly timestamp: string;
  /** All of it as lines, which Slack and others show. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Writes the weekly message of a workspace: what changed for sure in the 28 days before `atMs`
 * against the 28 days before those, the prompts that moved, the bots that are refused, and whether
 * answers stopped. Nothing within chance is in it.
 */
export async function writeWeeklyMessage(
  source: ReportSource,
  { atMs, publicUrl }: { atMs: number; publicUrl: string },
): Promise<Message> {
  const to = utcDay(atMs - dayMs);
  const period = { from: addDays(to, 1 - periodDays), to };
  const { db, workspaceId } = source;
  const { slug, name } = await db
    .selectFrom('workspaces')
    .select(['slug', 'name'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const report = await readReport(source, period);
  const prompts = report.moved.slice(0, promptsMax).map((row) => ({
    prompt: row.prompt,
    verdict: row.rate_verdict,
    before: row.rate_before,
    now: row.rate_compared,
    address: publicUrl + row.address,
  }));
  const crawlers = report.crawlers.map(({ sentence, cure }) => `${sentence} ${cure}`.trim());
  const silence = await silenceWords(source, atMs);
  const address = `${publicUrl}/w/${slug}?to=${to}`;
  const lines = [
    ...report.story,
    ...prompts.map(promptLine),
    ...crawlers,
    ...silence,
    `${printable(name)}, ${period.from} to ${period.to}: ${address}`,
  ];
  return {
    type: 'weekly',
    timestamp: new Date(atMs).toISOString(),
    // Slack would read a tag as a mention or a link.
    text: lines.join('\n').replaceAll('<', '‹').replaceAll('>', '›'),
    data: { workspace: slug, ...period, story: report.story, prompts, crawlers, silence, address },
  };
}

/** A message that shows whether a webhook works. */
export function testMessage(slug: string, nowMs: number): Message {
  return {
    type: 'test',
    timestamp: new Date(nowMs).toISOString(),
    text: `Messages about ${slug} from Overheard arrive here.`,
    data: { workspace: slug },
  };
}

function promptLine({
  prompt,
  before,
  now,
}: {
  prompt: string;
  before: ReportRow['moved'][number]['rate_before'];
  now: ReportRow['moved'][number]['rate_compared'];
}): string {
  return `“${printable(prompt)}”: ${percent(now ?? 0)}, from ${percent(before ?? 0)}`;
}

/** Says that answers stopped, if there were any in the four weeks before. */
async function silenceWords({ db, workspaceId }: ReportSource, atMs: number): Promise<string[]> {
  const last = await db
    .selectFrom('runs')
    .select('run_at')
    .where('workspace_id', '=', workspaceId)
    .where('outcome', '=', 'answered')
    .orderBy('run_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const age = last === undefined ? 0 : (atMs - Date.parse(last.run_at)) / dayMs;
  if (last === undefined || age < silentDays || age > periodDays) return [];
  return [`No answers since ${last.run_at.slice(0, 10)}.`];
}
