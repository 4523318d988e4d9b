import { limits } from '@overheard/contract';
import type { ReportSource } from '../reports/report-source.ts';
import { toUsd } from '../collect/ledger/micros.ts';
import { readMoneyOf } from '../collect/ledger/workspace-money.ts';
import type { Store } from '../storage/store.ts';
import { addDays } from '../values/time/utc-day.ts';
import { dollars } from '../values/usd.ts';
import { readEngineAccess } from '../reports/engine-access/engine-access.ts';
import { readPeriodFigures } from '../reports/period-report.ts';
import { sentenceText } from '../reports/story/sentences.ts';
import { printable } from '../values/printable.ts';
import { toMessage } from './message.ts';
import type { Message } from './message.ts';
import { readAsking, readMessageTag, weeksBefore } from './alert-facts.ts';
import { silenceFinding, tagOf } from './alerts.ts';

const promptsMax = 5;

/**
 * Writes the weekly message of a workspace: what changed for sure in the 28 days before `atMs`
 * against the 28 days before those, with the prompts among it, what keeps bots from the site, whether
 * answers stopped, and what asking cost. No change within chance is in it. With a tag, changes are those
 * of the prompts that have it.
 */
export async function writeWeeklyMessage(
  store: Store,
  source: ReportSource,
  { atMs, publicUrl, tag: setTag }: { atMs: number; publicUrl: string; tag: string | null },
): Promise<Message> {
  const period = weeksBefore(atMs);
  const { db, workspaceId } = source;
  const { slug, name } = await db
    .selectFrom('workspaces')
    .select(['slug', 'name'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const tag = await readMessageTag(source, setTag);
  const { story: told } = await readPeriodFigures(source, { ...period, tag });
  const story = [told.headline, ...told.lines].map(sentenceText);
  const changes = (told.changes ?? [])
    .flatMap(({ prompt, ...change }) => (prompt === null ? [] : [{ prompt, ...change }]))
    .slice(0, promptsMax);
  const prompts = changes.map(({ prompt, tone, before, now }) => ({
    prompt: prompt.text,
    verdict: tone,
    before,
    now,
    address: `${publicUrl}/w/${slug}/prompts/${prompt.id}?to=${period.to}`,
  }));
  // A prompt may be the headline already.
  const sentences = changes.map(({ sentence }) => sentence);
  const { stories } = await readEngineAccess(source, period);
  const crawlers = stories
    .slice(0, limits.reportCrawlersMax)
    .map(({ sentence, cure }) => `${sentence} ${cure}`.trim());
  const money = await readMoneyOf(store, [workspaceId], { clock: () => atMs });
  const asking = { money: money.get(workspaceId), nowMs: atMs };
  const stopped = silenceFinding((await readAsking(store, source, asking)).silence);
  const silence = stopped.map(({ sentence }) => sentence);
  const address = `${publicUrl}/w/${slug}?to=${period.to}${tagOf(tag)}`;
  const of = tag === undefined ? '' : `, prompts tagged ${printable(tag)}`;
  const cost = await costWords(store, workspaceId, period.to);
  const lines = [
    ...story,
    ...sentences.filter((sentence) => !story.includes(sentence)),
    ...crawlers,
    ...silence,
    ...cost,
    `${printable(name)}${of}, ${period.from} to ${period.to}: ${address}`,
  ];
  return toMessage({
    type: 'weekly',
    nowMs: atMs,
    lines,
    data: {
      workspace: slug,
      ...period,
      story,
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
