/** The expected answers, counted from the plan. */
import { z } from 'zod';
import { keyed } from '../../packages/mcp/test/connect.ts';
import type { HostResult } from '../../packages/mcp/test/connect.ts';
import { dayOf, idlePrompts, lossDay, prompts, today } from './workspace.ts';
import type { PlannedHit } from './workspace.ts';
import { counted, isCited, period, whole } from './counted.ts';
import type { Plan, Where } from './counted.ts';

type Row = Readonly<Record<string, unknown>>;
type Check = (results: readonly HostResult[], plan: Plan) => boolean;

/** Whether a row has these values. */
const has = (row: Row, values: Row): boolean =>
  Object.entries(values).every(([name, value]) => row[name] === value);

/** Whether a subject's row of a result has its planned counts. */
function sharesOf(
  name: string,
  days: readonly [string, string],
  where: Where = {},
  group: Row = {},
): Check {
  return ([result], plan) => isShare(result, plan, { name, days, where, group });
}

function isShare(
  result: Pick<HostResult, 'rows'> | undefined,
  plan: Plan,
  {
    name,
    days,
    where = {},
    group = {},
  }: { name: string; days: readonly [string, string]; where?: Where; group?: Row },
): boolean {
  // Without an engine, figures are of apps alone.
  const isOfApp = where.engine === undefined && group['engine'] === undefined;
  const runs = counted(plan, days, { isOfApp, ...where });
  const cited = runs.filter((run) => isCited(run, name)).length;
  return (
    result?.rows.some((row) => has(row, { name, runs: runs.length, cited, ...group })) === true
  );
}

const says = (result: HostResult | undefined, ...parts: readonly string[]): boolean => {
  const text = `${result?.text}`;
  return parts.every((part) => text.includes(part));
};

/** An error or an empty result that names what there is. */
const names =
  (...parts: readonly string[]): Check =>
  (results) => {
    const last = results.at(-1);
    return (last?.isError === true || last?.rows.length === 0) && says(last, ...parts);
  };

const sum = (rows: readonly Row[], ...fields: readonly string[]): number =>
  rows.reduce(
    (total, row) => total + fields.reduce((one, field) => one + Number(row[field]), 0),
    0,
  );

const hitsOf = (result: HostResult | undefined): number =>
  sum(result?.rows ?? [], 'verified', 'spoofed', 'unverified');

/** Hits in totals, or single hits that are complete or say that they are not. */
const crawled =
  (fits: (hit: PlannedHit) => boolean): Check =>
  ([result], { hits }) => {
    const wanted = hits.filter(fits).length;
    if (result?.rows[0]?.['hit_at'] === undefined && result?.page['matched'] !== 0)
      return hitsOf(result) === wanted;
    return result.page['matched'] === wanted || says(result, 'Incomplete before', 'get_crawls');
  };

const dayIn = (hit: PlannedHit, from: string, to: string = today): boolean =>
  hit.at.slice(0, 10) >= from && hit.at.slice(0, 10) <= to;

/** Rows of scores, which are by engine and day, add up to the plan. */
const scored =
  (from: string, to: string): Check =>
  ([result], plan) => {
    const rows = (result?.rows ?? []).filter((row) => row['engine'] !== 'copilot');
    const runs = counted(plan, [from, to]);
    if (Number(result?.page['returned']) < Number(result?.page['matched']))
      return says(result, 'cursor');
    return (
      sum(rows, 'total_runs') === runs.length &&
      sum(rows, 'citations') === runs.filter((run) => isCited(run, 'Acme')).length
    );
  };

const sharesOrScores =
  (days: readonly [string, string]): Check =>
  (results, plan) =>
    says(results[0], '"scores"')
      ? scored(...days)(results, plan)
      : sharesOf('Acme', days)(results, plan);

/** The brand's worst prompt is first. */
const worstFirst: Check = ([result]) => {
  const rates = (result?.rows ?? [])
    .filter((row) => row['name'] === 'Acme')
    .map((row) => Number(row['rate']));
  return (
    rates[0] === 0 &&
    says(result, 'a call centre') &&
    rates.every((rate, index) => rate >= (rates[index - 1] ?? 0))
  );
};

const locale =
  (name: string): Check =>
  ([result], plan) =>
    isShare(result, plan, { name: 'Acme', days: period, where: { locale: name } });

const checks: Readonly<Record<number, Check>> = {
  1: ([result], plan) => {
    const line = result?.rows.find((row) => row['subjects'] !== undefined);
    const rows = z.array(z.record(z.string(), z.unknown()));
    const subjects = rows.parse(keyed(line?.['columns'], line?.['subjects']));
    return (
      isShare({ rows: subjects }, plan, { name: 'Acme', days: period }) &&
      // The loss that was planned.
      says(result, '"story":["Acme fell from', '"Perplexity fell most')
    );
  },
  2: sharesOf('Acme', ['2026-11-01', today]),
  3: sharesOf('Globex', period),
  4: ([result], plan) => {
    if (result?.rows[0]?.['run_id'] !== undefined)
      return says(result, 'Competitors by runs', 'get_shares');
    const instead = counted(plan, period, { isOfApp: true }).filter(
      (run) => run.named.includes('Globex') && !isCited(run, 'Acme'),
    ).length;
    return (
      result?.rows.some((row) => has(row, { name: 'Globex', cited_without_brand: instead })) ===
      true
    );
  },
  5: ([result], plan) =>
    isShare(result, plan, {
      name: 'Acme',
      days: period,
      where: { engine: 'perplexity' },
      group: { engine: 'perplexity', rate_verdict: 'down' },
    }),
  6: (results, plan) =>
    results[0]?.rows.some((row) => row['from'] === '2026-11-14') === true
      ? sharesOf('Acme', ['2026-11-14', today], {}, { from: '2026-11-14' })(results, plan)
      : sharesOrScores(['2026-11-09', '2026-11-15'])(results, plan),
  7: (results, plan) =>
    (
      [
        ['2026-10-01', '2026-10-31'],
        ['2026-10-01', today],
        ['2026-11-19', '2026-11-19'],
      ] as const
    ).every((days, index) => sharesOrScores(days)(results.slice(index, index + 1), plan)),
  8: worstFirst,
  9: ([found, answers], plan) => {
    const lost = counted(plan, period, { prompt: 3 });
    return (
      found?.rows.length === 1 &&
      answers?.page['matched'] === Math.min(50, lost.length) &&
      says(answers, 'Globex', '"sentence"')
    );
  },
  10: ([result], plan) => {
    const gap = counted(plan, period).filter(
      (run) => run.named.length > 0 && !isCited(run, 'Acme'),
    ).length;
    return result?.rows.some((row) => has(row, { site: 'g2.com', gap_runs: gap })) === true;
  },
  11: ([result]) => says(result, 'Globex') || says(result, 'no gaps have been found'),
  12: ([result]) => result?.rows.length === 0 && says(result, 'gaps'),
  13: crawled((hit) => hit.bot === 'GPTBot' && hit.path === '/pricing' && dayIn(hit, '2026-11-16')),
  14: ([result], { hits }) => {
    const fakes = hits.filter(
      (hit) => hit.verification === 'spoofed' && dayIn(hit, '2026-10-01', '2026-10-31'),
    ).length;
    return (
      says(result, 'Incomplete before', 'get_crawls') ||
      // A page of days says that it is one, and how the others follow.
      says(result, 'so they are no totals', 'cursor') ||
      result?.page['matched'] === fakes ||
      sum(result?.rows ?? [], 'spoofed') === fakes
    );
  },
  15: ([first, second], { hits }) => {
    const ofBot = hits.filter(({ bot }) => bot === 'ClaudeBot');
    if (second !== undefined)
      return (
        hitsOf(first) === ofBot.filter((hit) => dayIn(hit, lossDay)).length &&
        hitsOf(second) === ofBot.filter((hit) => dayIn(hit, '2026-09-26', '2026-10-23')).length
      );
    const rows = first?.rows ?? [];
    return (
      rows.length > 0 &&
      rows.every(
        (row) =>
          sum([row], 'verified', 'spoofed', 'unverified') ===
          ofBot.filter(({ at }) => at.startsWith(String(row['date']))).length,
      )
    );
  },
  16: ([result], { hits }) =>
    hitsOf(result) ===
      hits.filter(({ bot, path }) => bot === 'Applebot' && path === '/customers').length &&
    says(result, 'there are'),
  17: ([result], { hits }) => {
    const failed = (from: string) =>
      hits.filter((hit) => hit.path === '/pricing' && hit.status === 404 && dayIn(hit, from))
        .length;
    const row = result?.rows.find((each) => each['path'] === '/pricing');
    return [dayOf(70), lossDay].some((from) => row?.['failed'] === failed(from));
  },
  18: locale('de-DE'),
  19: (results, plan) => locale('en-GB')(results, plan) && locale('en-US')(results.slice(-1), plan),
  20: ([result]) =>
    says(result, '"sentiment"') && result?.rows.every((row) => row['sentiment'] === null) === true,
  21: ([result], plan) => {
    const ranks = counted(plan, period, { isOfApp: true })
      .filter((run) => isCited(run, 'Acme'))
      .map(({ named }) => (named.includes('Acme') ? named.indexOf('Acme') : named.length) + 1);
    const mean = ranks.reduce((total, rank) => total + rank, 0) / ranks.length;
    const row = result?.rows.find((each) => each['name'] === 'Acme');
    return Math.abs(Number(row?.['rank_mean']) - mean) < 0.01;
  },
  22: ([result]) =>
    result?.rows.some((row) => row['name'] === 'Acme' && row['rate_verdict'] === 'down') === true,
  23: ([result]) =>
    result?.rows.some((row) => String(row['url']).includes('acme.com/pricing')) === true,
  24: ([all, asked]) =>
    all?.page['matched'] === prompts.length + idlePrompts.length &&
    asked?.page['matched'] === prompts.length,
  25: ([result], plan) =>
    result?.rows.some(
      (row) =>
        String(row['url']).includes('acme.com/pricing') &&
        row['runs'] === counted(plan, period).filter((run) => run.isLinked).length,
    ) === true,
  26: ([result], plan) =>
    isShare(result, plan, { name: 'Acme', days: period }) && says(result, 'rate_low', 'rate_high'),
  28: names('GPTBot'),
  29: ([result]) =>
    result?.rows.some(
      (row) => row['owner'] === 'brand' && String(row['url']).includes('/pricing'),
    ) === true,
  30: crawled((hit) => dayIn(hit, '2026-11-18')),
  31: (results, plan) =>
    crawled(
      (hit) =>
        hit.bot === 'GPTBot' &&
        (results[0]?.rows[0]?.['hit_at'] === undefined || dayIn(hit, '2026-11-14')),
    )(results, plan),
  32: ([result], plan) => {
    const runs = counted(plan, period, { isOfApp: true });
    const named = runs.filter((run) => run.named.includes('Acme')).length;
    const linked = runs.filter((run) => run.isLinked).length;
    return result?.rows.some((row) => has(row, { name: 'Acme', named, linked })) === true;
  },
  33: ([result], plan) =>
    isShare(result, plan, { name: 'Acme', days: period, where: { engine: 'claude' } }) &&
    says(result, 'too_few'),
  34: (results, plan) => {
    const row = results.at(-1)?.rows.find((each) => each['name'] === 'Zorin');
    const cited = counted(plan, results.length === 1 ? whole : period, {
      isOfApp: true,
    }).filter((run) => run.named.includes('Zorin')).length;
    return row?.['cited'] === cited;
  },
  35: names('gemini', 'perplexity'),
  36: sharesOf('Acme', period, { isPlain: true }),
  37: ([result]) =>
    String(result?.rows[0]?.['prompt']).includes('a call centre') ||
    Number(result?.rows[0]?.['rate']) === 1,
  38: sharesOrScores(['2026-11-15', '2026-11-15']),
  39: ([result]) => result?.rows.length === 0 && says(result, dayOf(69)),
  40: (results) => {
    const last = results.at(-1);
    return last?.rows.length === 0
      ? says(last, 'do not name the brand')
      : last?.rows.every((row) => row['branded'] === true) === true;
  },
};

/** Whether the results answer a question as it was planned. Question 27 has no tool. */
export function isRight(id: number, results: readonly HostResult[], plan: Plan): boolean {
  return checks[id]?.(results, plan) ?? results.length === 0;
}
