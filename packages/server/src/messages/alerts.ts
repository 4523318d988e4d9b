import { isOffByChoice } from '../collect/ledger/switched-off.ts';
import type { ReportRow } from '@overheard/contract';
import { everything } from '../collect/ledger/operator-budgets.ts';
import { listsDaysMax } from '../reports/operator-lists.ts';
import type { LostPrompt } from '../reports/lost.ts';
import type { SureChange } from '../reports/story/sure-changes.ts';
import { engineName } from '../values/engine.ts';
import { percent } from '../values/figure-words.ts';
import { amount, plural } from '../values/plural.ts';
import { printable } from '../values/printable.ts';
import { dollars } from '../values/usd.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';
import { periodDays, weeksBefore } from './alert-facts.ts';
import type { AlertFacts } from './alert-facts.ts';
import { toMessage } from './message.ts';
import type { Message } from './message.ts';
import { operatorKinds } from './recipients.ts';

const noHits = { days: 3, usualDays: 14 };
const budgetShare = 0.8;
const keyDays = 7;
const sentencesMax = 5;

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
  /** The page of its evidence, behind the address of the workspace, or of the server for an operator. */
  readonly page: string;
  readonly find: (facts: AlertFacts) => readonly AlertFinding[];
}

/** The kinds of alerts, in the order in which they are sent. */
export const alertRules: readonly AlertRule[] = [
  {
    kind: 'change',
    when: 'all answers, an engine, a competitor or a prompt changed for sure in the last 28 days; and a competitor now leads for a prompt that fell',
    page: '',
    find: ({ story, lost, nowMs, tag }) =>
      (story.changes ?? []).flatMap((change) => {
        if (!change.isSureDaily) return [];
        const { subject, sentence, prompt } = change;
        const { to } = weeksBefore(nowMs);
        const of = prompt === null ? tagOf(tag) : '';
        const page = `${prompt === null ? '' : `/prompts/${prompt.id}`}?to=${to}${of}`;
        const fall = { subject, sentence, page, partOf: wholeOf(change) };
        const taken = lost.find((one) => isFallOf(change, one));
        if (prompt === null || taken === undefined) return [fall];
        // It may be sure only after the fall was told, so it is a finding of its own.
        const { brand, leader } = taken;
        const now = `For “${printable(prompt.text)}”, ${leader.name} is now shown in ${leader.cited} of ${amount(brand.runs, 'answer')}, and ${brand.name} in ${brand.cited}.`;
        return [fall, { subject: `${subject} ${leader.subject_id}`, sentence: now, page }];
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
    find: ({ silence }) => silenceFinding(silence),
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
    find: ({ engines, isAsked }) =>
      engines.flatMap(({ name, offReason }) =>
        !isAsked || offReason === null || isOffByChoice(offReason)
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
  {
    kind: 'backup',
    when: 'the newest backup that `overheard serve --backups` keeps is over 2 days old, or there is none',
    page: '/operator',
    find: ({ backupFault: sentence }) =>
      sentence === undefined ? [] : [{ subject: 'backup', sentence }],
  },
  {
    kind: 'cap',
    when: `${percent(budgetShare)} of a cap of the operator for a month is spent`,
    page: '/operator',
    find: ({ caps }) =>
      caps.flatMap(({ scope, period, capUsd, spentUsd }) => {
        if (capUsd === null || capUsd === 0 || spentUsd < budgetShare * capUsd) return [];
        const name = scope === everything ? 'all engines' : engineName(scope);
        const sentence = `The cap of ${name} for ${period} is nearly spent: ${dollars(spentUsd)} of ${dollars(capUsd)}.`;
        return [{ subject: `${scope} ${period}`, sentence }];
      }),
  },
];

/** The parameter of pages for the tag of messages. */
export function tagOf(tag: string | undefined): string {
  return tag === undefined ? '' : `&${new URLSearchParams({ tag }).toString()}`;
}

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

function isFallOf({ prompt, tone }: SureChange, { brand }: LostPrompt): boolean {
  return tone === 'down' && prompt !== null && prompt.id === brand.prompt_id;
}

/** The change of all answers that an engine's or a prompt's is a part of. A competitor's is none. */
function wholeOf({ kind, tone }: SureChange): string | undefined {
  return kind === 'total' || kind === 'rival' ? undefined : `total  ${tone}`;
}

/** Says that answers stopped. */
export function silenceFinding(silence: string | undefined): AlertFinding[] {
  const date = silence?.slice(0, 10);
  return date === undefined ? [] : [{ subject: date, sentence: `No answers since ${date}.` }];
}

/** The message of an alert: what is new, each sentence once, and the page of its evidence. */
export function alertMessage(
  { kind, page }: AlertRule,
  found: readonly AlertFinding[],
  {
    workspace: { slug, name },
    publicUrl,
    nowMs,
    tag,
  }: {
    workspace: { slug: string; name: string };
    publicUrl: string;
    nowMs: number;
    tag: string | undefined;
  },
): Message {
  const sentences = [...new Set(found.map(({ sentence }) => sentence))];
  const more = sentences.length - sentencesMax;
  const place = operatorKinds.includes(kind) ? publicUrl : `${publicUrl}/w/${slug}`;
  const alerts = found.map(({ subject, sentence, page: own = page }) => ({
    subject,
    sentence,
    address: `${place}${own}`,
  }));
  const [first] = alerts;
  const isOne = sentences.length === 1 && first !== undefined;
  const address = isOne ? first.address : `${place}${page}`;
  const of = kind === 'change' && tag !== undefined ? `, prompts tagged ${printable(tag)}` : '';
  return toMessage({
    type: 'alert',
    nowMs,
    lines: [
      ...sentences.slice(0, sentencesMax),
      ...(more > 0 ? [`And ${more} more.`] : []),
      `${printable(name)}${of}: ${address}`,
    ],
    data: { workspace: slug, kind, alerts, address },
  });
}
