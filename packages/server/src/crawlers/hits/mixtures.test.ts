import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cases, isEverythingTested } from '../../../../../test/cases.ts';
import { keepList, makePlace } from '../../../test/logs/log-place.ts';
import { createMixture, mixtureLines, ways } from '../../../test/logs/mixtures.ts';
import type { MixedClaim, Mixture } from '../../../test/logs/mixtures.ts';
import { operators } from '../../../test/logs/operator-logs.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { doubtOf } from './standing.ts';

/** The mixtures that the docs count. A few of them have a genuine request that is accused. */
const mixtures = 6000;
/** Of the first ones, none has. */
const firstMixtures = 500;

/** What the rule says of each claim. */
function judgeMixture({ claims, visitors }: Mixture): (claim: MixedClaim) => string {
  const visited = new Set<string>();
  for (const visit of visitors) {
    const [day, address = ''] = visit.split(' ');
    for (let near = Number(day) - 7; near <= Number(day) + 7; near++) {
      visited.add(`${near} ${networkOf(address)}`);
    }
  }
  const proofs = claims
    .filter(({ isListed }) => isListed)
    .map(({ day, operator }) => ({
      day,
      operators: [String(operator)],
      networks: [String(operator)],
      networkCount: 1,
    }));
  const doubts = new Map<number, string | null>();
  for (const { day } of claims) if (!doubts.has(day)) doubts.set(day, doubtOf(day, proofs));
  return ({ day, address, isListed }) => {
    if (isListed) return 'verified';
    const isExcused = visited.has(`${day} ${networkOf(address)}`) || doubts.get(day) !== null;
    return isExcused ? 'unverified' : 'spoofed';
  };
}

/** The /24 of an IPv4 address. */
function networkOf(address: string): string {
  return address.slice(0, address.lastIndexOf('.'));
}

test('the docs have how many genuine requests of random mixtures are accused, and how many forged ones are not', () => {
  const results = new Map(
    ways.map((way) => [way, { genuine: 0, accused: 0, shares: new Array<number>() }]),
  );
  /** Seeds of mixtures with a genuine request that is accused. */
  const unjust: number[] = [];
  const count = isEverythingTested ? mixtures : firstMixtures;
  for (let seed = 1; seed <= count; seed++) {
    const mixture = createMixture(seed);
    const verdictOf = judgeMixture(mixture);
    const accused = mixture.claims.filter((claim) => verdictOf(claim) === 'spoofed');
    const [forged, genuine] = [true, false].map((isForged) => ({
      all: mixture.claims.filter((claim) => claim.isForged === isForged).length,
      accused: accused.filter((claim) => claim.isForged === isForged).length,
    }));
    const result = results.get(mixture.way);
    if (result === undefined || forged === undefined || genuine === undefined) continue;
    if (genuine.accused > 0) unjust.push(seed);
    result.genuine += genuine.all;
    result.accused += genuine.accused;
    if (forged.all > 0) result.shares.push(1 - forged.accused / forged.all);
  }
  expect(unjust.filter((seed) => seed <= firstMixtures)).toEqual([]);
  if (!isEverythingTested) return;
  const docs = readFileSync(new URL('../../../../../docs/crawlers.md', import.meta.url), 'utf8');
  const documented = /<!-- mixtures -->[\s\S]*?\n\n(?:.*\n){2}((?:\|.*\n)*)/.exec(docs)?.[1];
  expect(documented?.replaceAll(/ +/g, ' ').trim().split('\n')).toEqual(
    Array.from(results, ([way, { genuine, accused, shares }]) => {
      const sorted = shares.toSorted((left, right) => left - right);
      const quartiles = [0.25, 0.5, 0.75].map((part) => sorted[Math.floor(part * sorted.length)]);
      const percents = quartiles.map((share) => `${Math.round(100 * (share ?? 0))} %`);
      const counts = [shares.length, genuine, accused].map((each) => each.toLocaleString('en-US'));
      return `| ${[way, ...counts, ...percents].join(' | ')} |`;
    }),
  );
});

eachStore({ title: 'mixtures of genuine bots and forgers', onBoth: false }, (open) => {
  test('an ingest gives each claim the verdict of the rule, in any order, pieces and repetition', async () => {
    const { store } = await open();
    for (const [, id, network] of operators) await keepList(store, id, `${network}.0/24`);
    for (let seed = 1; seed <= cases(20); seed++) {
      const mixture = createMixture(seed, { claimsMax: 200 });
      const place = await makePlace({ store });
      await store.writer
        .deleteFrom('hit_votes')
        .where('workspace_id', '=', place.workspaceId)
        .execute();
      const lines = mixtureLines(mixture);
      const middle = seed % lines.length;
      const pieces = [lines.slice(middle), lines.slice(0, middle), lines.slice(0, seed)];
      for (const [index, piece] of pieces.entries()) {
        await place.ingest(await place.write(`${index}.log`, piece.join('')));
      }
      const verdictOf = judgeMixture(mixture);
      const stored = new Map((await place.rows()).map((row) => [row.path, row.verification]));
      for (const claim of mixture.claims) {
        expect([seed, claim, stored.get(`/${claim.index}`)]).toEqual([
          seed,
          claim,
          verdictOf(claim),
        ]);
      }
    }
  });
});
