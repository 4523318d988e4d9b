import type { ReportRow } from '@overheard/contract';
import { listKeys } from '../access/keys.ts';
import type { ListedKey } from '../access/keys.ts';
import { isAsked, readAskingSwitch, silentSince } from '../collect/ledger/asking-switch.ts';
import type { AskingFacts } from '../collect/ledger/asking-switch.ts';
import { readEngines } from '../collect/ledger/paced-engines.ts';
import type { PacedEngine } from '../collect/ledger/paced-engines.ts';
import { readMoneyOf } from '../collect/ledger/workspace-money.ts';
import type { WorkspaceMoney } from '../collect/ledger/workspace-money.ts';
import { readEngineAccess } from '../reports/engine-access/engine-access.ts';
import type { EngineAccess } from '../reports/engine-access/engine-access.ts';
import { hasOperatorLists, lastCheckMs, listsDaysMax } from '../reports/operator-lists.ts';
import { readPeriodFigures } from '../reports/period-report.ts';
import type { LostPrompt, PeriodFigures } from '../reports/period-report.ts';
import { countPromptsOn, readLastAnswerAt } from '../reports/portfolio-row.ts';
import type { ReportSource } from '../reports/report-source.ts';
import type { Story } from '../reports/story/story.ts';
import type { SureChange } from '../reports/story/sure-changes.ts';
import type { Store } from '../storage/store.ts';
import { engineName } from '../values/engine.ts';
import { percent } from '../values/figure-words.ts';
import { amount, plural } from '../values/plural.ts';
import { printable } from '../values/printable.ts';
import { dollars } from '../values/usd.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';
import { toMessage } from './message.ts';
import type { Message } from './message.ts';

/** What messages say of weeks is about this many days, against as many before. */
const periodDays = 28;
const noHits = { days: 3, usualDays: 14 };
const budgetShare = 0.8;
const keyDays = 7;
const sentencesMax = 5;

/** What the rules of alerts look at. */
interface AlertFacts extends Pick<PeriodFigures, 'story' | 'lost'> {
  readonly nowMs: number;
  readonly access: Pick<EngineAccess, 'until' | 'days' | 'stories'>;
  readonly asking: AskingFacts;
  /** When operators' lists were last fetched; undefined if they are imported by hand. */
  readonly listsMs: number | undefined;
  readonly keys: readonly ListedKey[];
  /** Undefined without a budget. */
  readonly money: WorkspaceMoney | undefined;
  readonly engines: ReadonlyArray<Pick<PacedEngine, 'name' | 'offReason'>>;
}

/** Something that is so. The same thing has the same subject as long as it lasts. */
export interface AlertFinding {
  readonly subject: string;
  readonly sentence: string;
  /** The subject of the whole that it is a part of: whoever was told of that is not told this. */
  readonly partOf?: string | undefined;
  /** The page of its evidence, if it has one of its own. */
  readonly page?: string;
}

/** One kind of alert. */
export interface AlertRule {
  readonly kind: string;
  /** When it is sent, for the docs. */
  readonly when: string;
  /** The page of its evidence, behind the address of the workspace. */
  readonly page: string;
  readonly find: (facts: AlertFacts) => readonly AlertFinding[];
}

/** The kinds of alerts, in the order in which they are sent. */
export const alertRules: readonly AlertRule[] = [
  {
    kind: 'change',
    when: 'all answers, an engine, a competitor or a prompt changed for sure in the last 28 days; it names the competitor that now leads for a prompt',
    page: '',
    find: ({ story, lost, nowMs }) =>
      dailyChanges(story).map((change) => {
        const { to } = weeksBefore(nowMs);
        const page = `${change.prompt === null ? '' : `/prompts/${change.prompt.id}`}?to=${to}`;
        const taken = lost.find((one) => isFallOf(change, one));
        const { subject, sentence } = change;
        if (taken === undefined) return { subject, sentence, page, partOf: wholeOf(change) };
        const { brand, leader } = taken;
        const now = `${leader.name} is now shown in ${leader.cited} of ${amount(brand.runs, 'answer')}, and ${brand.name} in ${brand.cited}.`;
        return { subject, sentence: `${sentence} ${now}`, page };
      }),
  },
  crawlerRule('refused', 'your site refuses at least half of the requests of a verified bot'),
  crawlerRule('disallowed', 'your robots.txt keeps a bot out that came before'),
  crawlerRule('broken', 'at least half of the requests of a verified bot meet server errors'),
  crawlerRule('proxied', "the log has a proxy's address in place of the bots'"),
  crawlerRule('gone', 'a bot stays away four times as long as usual, and at least 7 days'),
  crawlerRule(
    'forged',
    'in 7 days at least 50 requests forge a bot, three times as many as are genuine and as in the days before',
  ),
  {
    kind: 'no_answers',
    when: 'no answers for 2 days to a workspace that is asked daily',
    page: '/answers',
    find: ({ asking, nowMs }) => findSilence(asking, nowMs),
  },
  {
    kind: 'no_hits',
    when: `no requests of bots for ${noHits.days} days, after some on ${noHits.usualDays} of the ${periodDays} days before`,
    page: '/crawlers',
    find: ({ access: { until, days }, nowMs }) => {
      if (until === null || nowMs - Date.parse(until) < (noHits.days + 1) * dayMs) return [];
      const usual = days.filter(({ date }) => date > addDays(until, -periodDays));
      const sentence = `No requests of bots since ${until}: check that the log is still read.`;
      return usual.length < noHits.usualDays ? [] : [{ subject: until, sentence }];
    },
  },
  {
    kind: 'budget',
    when: `${percent(budgetShare)} of the budget of a month is spent`,
    page: '/settings/collection',
    find: ({ money, nowMs }) => {
      if (money === undefined || money.capUsd === 0) return [];
      if (money.spentUsd < budgetShare * money.capUsd) return [];
      const month = utcDay(nowMs).slice(0, 7);
      const spent = `${dollars(money.spentUsd)} of ${dollars(money.capUsd)}`;
      return [{ subject: month, sentence: `The budget of ${month} is nearly spent: ${spent}.` }];
    },
  },
  {
    kind: 'engine_off',
    when: 'a fault has switched off an engine, and the workspace is asked daily',
    page: '/settings/collection',
    find: ({ engines, asking }) =>
      engines.flatMap(({ name, offReason }) =>
        !isAsked(asking) || offReason === null || offReason === 'disabled'
          ? []
          : [
              {
                subject: name,
                sentence: `${engineName(name)} is not asked any more, because of ${offReason}.`,
              },
            ],
      ),
  },
  {
    kind: 'key_expires',
    when: `an API key ends within ${keyDays} days and has not been replaced`,
    page: '/settings/keys',
    find: ({ keys, nowMs }) =>
      keys.flatMap(({ id, name, expires_at: end, revoked_at: revoked, replaced_by: next }) => {
        const leftMs = end === null ? Infinity : Date.parse(end) - nowMs;
        if (end === null || revoked !== null || next !== null) return [];
        const sentence = `The API key ${printable(name)} ends on ${end.slice(0, 10)}.`;
        return leftMs > 0 && leftMs <= keyDays * dayMs ? [{ subject: id, sentence }] : [];
      }),
  },
  {
    kind: 'lists_old',
    when: `the operators' lists of addresses are ${listsDaysMax + 1} days old or older, while bots come`,
    page: '/crawlers',
    find: ({ listsMs, access, nowMs }) => {
      const days = listsMs === undefined ? 0 : Math.floor((nowMs - listsMs) / dayMs);
      const isRead = access.until !== null && access.until > utcDay(nowMs - periodDays * dayMs);
      const sentence = `The operators' lists of addresses are ${plural(days, 'day')} old, so new requests cannot be verified.`;
      return isRead && days > listsDaysMax ? [{ subject: 'lists', sentence }] : [];
    },
  },
];

/** What keeps a bot from the site, as the page of crawlers tells it. */
function crawlerRule(kind: ReportRow['crawlers'][number]['kind'], when: string): AlertRule {
  return {
    kind,
    when,
    page: '/crawlers',
    find: ({ access }) =>
      access.stories
        .filter((story) => story.kind === kind)
        .map(({ bot_name: bot, sentence, cure }) => ({
          subject: bot ?? 'all',
          sentence: `${sentence} ${cure}`.trim(),
        })),
  };
}

/** The changes that are sure enough for an hourly look. */
function dailyChanges({ changes = [] }: Story): readonly SureChange[] {
  return changes.filter(({ isSureDaily }) => isSureDaily);
}

function isFallOf({ prompt, tone }: SureChange, { brand }: LostPrompt): boolean {
  return tone === 'down' && prompt !== null && prompt.id === brand.prompt_id;
}

/** The change of all answers that an engine's or a prompt's is a part of. A competitor's is none. */
function wholeOf({ kind, tone }: SureChange): string | undefined {
  return kind === 'total' || kind === 'rival' ? undefined : `total  ${tone}`;
}

/** Says that answers stopped. */
export function findSilence(asking: AskingFacts, nowMs: number): AlertFinding[] {
  const date = silentSince(asking, nowMs)?.slice(0, 10);
  return date === undefined ? [] : [{ subject: date, sentence: `No answers since ${date}.` }];
}

/** Reads whether a workspace is asked, and when it last got an answer. */
export async function readAskingFacts(
  store: Store,
  source: ReportSource,
  money: WorkspaceMoney | undefined,
): Promise<AskingFacts> {
  const ledger = await store.ledger();
  const first = await ledger?.db
    .selectFrom('readings')
    .select('due_at')
    .where('workspace_id', '=', source.workspaceId)
    .orderBy('day')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  const since = await readAskingSwitch(store);
  // The switch is the installation's, and may be older than the first question of this workspace.
  const [begun = null] =
    since === null || first === undefined ? [] : [since, first.due_at].toSorted().slice(-1);
  return {
    since: begun,
    sweeps: money?.sweeps ?? 0,
    promptsOn: await countPromptsOn(source),
    lastAnswerAt: (await readLastAnswerAt(source)) ?? null,
  };
}

/** The last whole weeks before a moment. */
export function weeksBefore(atMs: number): { readonly from: string; readonly to: string } {
  const to = utcDay(atMs - dayMs);
  return { from: addDays(to, 1 - periodDays), to };
}

/** Reads what the rules of alerts look at. */
export async function readAlertFacts(
  store: Store,
  source: ReportSource,
  nowMs: number,
): Promise<AlertFacts> {
  const { workspaceId, db } = source;
  const ledger = await store.ledger();
  const money = await readMoneyOf(store, [workspaceId], { clock: () => nowMs });
  const own = money.get(workspaceId);
  const { story, lost } = await readPeriodFigures(source, weeksBefore(nowMs));
  return {
    nowMs,
    story,
    lost,
    access: await readEngineAccess(source, { to: utcDay(nowMs) }),
    asking: await readAskingFacts(store, source, own),
    listsMs: (await hasOperatorLists(db)) ? await lastCheckMs(db) : undefined,
    keys: await listKeys(store, { workspaceId }),
    money: own,
    engines: ledger === undefined ? [] : await readEngines(store, ledger),
  };
}

/** The message of an alert: what is new, each sentence once, and the page of its evidence. */
export function alertMessage(
  { kind, page }: AlertRule,
  found: readonly AlertFinding[],
  {
    workspace: { slug, name },
    publicUrl,
    nowMs,
  }: { workspace: { slug: string; name: string }; publicUrl: string; nowMs: number },
): Message {
  const sentences = [...new Set(found.map(({ sentence }) => sentence))];
  const more = sentences.length - sentencesMax;
  const alerts = found.map(({ subject, sentence, page: own = page }) => ({
    subject,
    sentence,
    address: `${publicUrl}/w/${slug}${own}`,
  }));
  const [first] = alerts;
  const isOne = sentences.length === 1 && first !== undefined;
  const address = isOne ? first.address : `${publicUrl}/w/${slug}${page}`;
  return toMessage({
    type: 'alert',
    nowMs,
    lines: [
      ...sentences.slice(0, sentencesMax),
      ...(more > 0 ? [`And ${more} more.`] : []),
      `${printable(name)}: ${address}`,
    ],
    data: { workspace: slug, kind, alerts, address },
  });
}
