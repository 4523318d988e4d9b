import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeTogether } from './many-operators.ts';
import type { NeighbourClaim } from './many-operators.ts';
import { unverified, verified } from './verdict.ts';

const noon = Date.parse('2026-11-20T12:00:00.000Z');

describe('three operators within ten minutes', () => {
  const claim = (
    id: string,
    operator: string,
    minute: number,
    own = unverified({ reason: 'no_list' }),
  ) => ({
    id,
    operator,
    atMs: noon + minute * 60_000,
    own,
  });
  const verdicts = (claims: readonly NeighbourClaim[]) =>
    judgeTogether(claims).map(({ verification }) => verification);

  test('are spoofed, but for a claim that is verified by itself', () => {
    const proved = verified({ reason: 'in_list' });
    expect(
      verdicts([
        claim('a', 'A', 0),
        claim('b', 'B', 5),
        claim('c', 'C', 10, proved),
        claim('d', 'A', 21),
      ]),
    ).toEqual(['spoofed', 'spoofed', 'verified', 'unverified']);
  });

  test('in eleven minutes, or two in ten, are not', () => {
    expect(verdicts([claim('a', 'A', 0), claim('b', 'B', 5), claim('c', 'C', 10.1)])).toEqual([
      'unverified',
      'unverified',
      'unverified',
    ]);
    expect(verdicts([claim('a', 'A', 0), claim('b', 'B', 1), claim('c', 'A', 2)])).not.toContain(
      'spoofed',
    );
  });

  test('are never spoken of where the address is private or a proxy’s', () => {
    for (const reason of ['private_ip', 'proxy_ip', 'no_ip'] as const) {
      const own = unverified({ reason });
      expect(verdicts(['A', 'B', 'C'].map((name) => claim(name, name, 0, own)))).not.toContain(
        'spoofed',
      );
    }
  });

  test('come out alike whatever the order in which they became known', () => {
    const anyClaims = fc.array(
      fc.record({
        operator: fc.constantFrom('A', 'B', 'C', 'D'),
        minute: fc.integer({ min: 0, max: 40 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(anyClaims, fc.infiniteStream(fc.nat()), (rows, order) => {
        const claims = rows.map(({ operator, minute }, index) =>
          claim(String(index), operator, minute),
        );
        const shuffled = claims
          .map((one) => [order.next().value, one] as const)
          .toSorted(([left], [right]) => left - right)
          .map(([, one]) => one);
        const byId = (list: readonly NeighbourClaim[]) =>
          new Map(
            judgeTogether(list).map((verdict, index) => [list[index]?.id, verdict.verification]),
          );
        const known = byId(claims);
        for (const [id, verification] of byId(shuffled)) expect(verification).toBe(known.get(id));
        for (const one of claims) {
          const isNear = claims.some((start) => {
            const inWindow = (other: NeighbourClaim) =>
              other.atMs >= start.atMs && other.atMs <= start.atMs + 600_000;
            const operators = new Set(claims.filter(inWindow).map(({ operator }) => operator));
            return inWindow(one) && operators.size >= 3;
          });
          expect(known.get(one.id)).toBe(isNear ? 'spoofed' : 'unverified');
        }
      }),
    );
  });
});
