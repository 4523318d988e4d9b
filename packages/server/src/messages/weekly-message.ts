import type { ReportRow } from '@overheard/contract';
import type { ReportSource } from '../reports/report-source.ts';
import { readLastAnswerAt } from '../reports/portfolio-row.ts';
import { toUsd } from '../collect/ledger/micros.ts';
import type { Store } from '../storage/store.ts';
import { addDays } from '../values/time/utc-day.ts';
import { dollars } from '../values/usd.ts';
import { readReport } from '../reports/report.ts';
import { percent } from '../values/figure-words.ts';
import { printable } from '../values/printable.ts';
import { toMessage } from './message.ts';
import type { Message } from './message.ts';
import { findSilence, weeksBefore } from './alerts.ts';

const promptsMax = 5;

/**
 * Writes the weekly message of a workspace: what changed for sure in the 28 days before `atMs`
 * against the 28 days before those, the prompts that moved, the bots that are refused, whether
 * answers stopped, and what asking cost. Nothing within chance is in it.
 */
export async function writeWeeklyMessage(
  store: Store,
  source: ReportSource,
  { atMs, publicUrl }: { atMs: number; publicUrl: string },
): Promise<Message> {
  const period = weeksBefore(atMs);
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
  const silence = findSilence(await readLastAnswerAt(source), atMs).map(({ sentence }) => sentence);
  const address = `${publicUrl}/w/${slug}?to=${period.to}`;
  const cost = await costWords(store, workspaceId, period.to);
  const lines = [
    ...report.story,
    ...prompts.map(promptLine),
    ...crawlers,
    ...silence,
    ...cost,
    `${printable(name)}, ${period.from} to ${period.to}: ${address}`,
  ];
  return toMessage({
    type: 'weekly',
    nowMs: atMs,
    lines,
    data: {
      workspace: slug,
      ...period,
      story: report.story,
      prompts,
      crawlers,
      silence,
      cost,
      address,
    },
  });
}

/** What asking engines cost in the week up to a day, if anything. */
async function costWords(store: Store, workspaceId: string, to: string): Promise<string[]> {
  const ledger = await store.ledger();
  const row = await ledger?.db
    .selectFrom('readings')
    .select(({ fn }) => fn.sum<number | string | null>('cost_micros').as('micros'))
    .where('workspace_id', '=', workspaceId)
    .where('day', '>', addDays(to, -7))
    .where('day', '<=', to)
    .executeTakeFirst();
  const usd = toUsd(Number(row?.micros ?? 0));
  return usd > 0 ? [`Asking engines cost ${dollars(usd)} in the last 7 days.`] : [];
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
