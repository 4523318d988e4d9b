/** Random logs of genuine bots, forgers and visitors, of which it is known who is who. */
import { createRandom } from '../../src/demo/random.ts';
import type { Random } from '../../src/demo/random.ts';
import browsers from '../../src/crawlers/bots/browsers.json' with { type: 'json' };
import { operators } from './operator-logs.ts';

/** How genuine requests reach the site, if not directly. */
export const ways = ['nothing', 'proxy', 'balancer', 'gateway', 'rendering service'] as const;

export interface MixedClaim {
  readonly index: number;
  readonly day: number;
  readonly operator: number;
  readonly address: string;
  readonly isForged: boolean;
  /** Whether the address is the operator's. */
  readonly isListed: boolean;
}

export interface Mixture {
  readonly way: (typeof ways)[number];
  readonly claims: readonly MixedClaim[];
  /** `DAY ADDRESS` of a person's request, of each address at most one a day. */
  readonly visitors: ReadonlySet<string>;
}

/** The last of the days, which are 28 at most: 20 November 2026. */
export const lastDay = Date.parse('2026-11-20') / 86_400_000;
const daysMax = 28;
/** Visitors of a site in a day. */
const [visitorsMin, visitorsMax] = [100, 10_000];

/** Makes the mixture of a seed: the same for the same seed. */
export function createMixture(seed: number, { claimsMax = 3000 } = {}): Mixture {
  const random = createRandom(seed * 7919);
  for (let warm = 0; warm < 9; warm++) random.next();
  const way = random.pick(ways);
  const days = 1 + whole(random, daysMax);
  const path = createWay(random, way, days);
  const forgedShare = random.next();
  const machines = Math.ceil(1000 ** random.next());
  const visits = new Set(path.visits);
  const claims = Array.from(
    { length: Math.round(3 * (claimsMax / 3) ** random.next()) },
    (_, index) => {
      const day = lastDay - whole(random, days);
      const operator = whole(random, operators.length);
      const isForged = random.isChance(forgedShare);
      const through = path.through(day, isForged);
      const machine = whole(random, machines);
      const own = isForged
        ? `91.${machine >> 8}.${machine & 255}.7`
        : `${operators[operator]?.[2]}.${1 + whole(random, 250)}`;
      // One forger in ten looks at the site with a browser, too.
      if (isForged && machine % 10 === 3) visits.add(`${day} ${own}`);
      const isListed = through === undefined && !isForged;
      return { index, day, operator, address: through ?? own, isForged, isListed };
    },
  );
  return { way, claims, visitors: visits };
}

/**
 * How requests reach the site: the address through which one comes, undefined if it comes directly, and the
 * visits that come this way, which are drawn apart from the claims.
 */
function createWay(random: Random, way: Mixture['way'], days: number) {
  const sizes = { nothing: 0, proxy: 200, balancer: 4, gateway: 3, 'rendering service': 5 };
  const addresses = 1 + whole(random, sizes[way]);
  const networks = 1 + whole(random, Math.min(addresses, 40));
  // A rendering service gets each request of a bot, or none.
  const share = way === 'rendering service' ? 1 : random.pick([0.05, 0.5, 0.95, 1, random.next()]);
  const from = random.pick(['always', 'on', 'off'] as const);
  const switched = lastDay - whole(random, days);
  const visitorsPerDay = visitorsMin * (visitorsMax / visitorsMin) ** random.next();
  const isOn = (day: number) =>
    way !== 'nothing' && (from === 'always' || (from === 'on' ? day >= switched : day < switched));
  const placeText = (place: number) => `45.9.${place % networks}.${Math.floor(place / networks)}`;
  return {
    through(day: number, isForged: boolean): string | undefined {
      // Who forges a bot reaches neither a company's gateway nor, as its own client, a rendering service.
      const isOpen = !isForged || way === 'proxy' || way === 'balancer';
      if (!isOn(day) || !random.isChance(share) || !isOpen) return undefined;
      return placeText(whole(random, addresses));
    },
    visits: [...visits()],
  };

  function* visits(): Generator<string> {
    if (way === 'rendering service') return;
    // Of so many visitors none comes from a given address by this chance.
    const missed = Math.exp((-visitorsPerDay * share) / addresses);
    for (let day = lastDay; day > lastDay - days; day--) {
      if (!isOn(day)) continue;
      for (let place = 0; place < addresses; place++) {
        if (!random.isChance(missed)) yield `${day} ${placeText(place)}`;
      }
    }
  }
}

/** The lines of a mixture, in an order of no meaning. */
export function mixtureLines({ claims, visitors }: Mixture): string[] {
  const agent = browsers['Firefox on Linux'];
  return [
    ...claims.map(({ index, day, operator, address }) =>
      logged(address, day, `/${index}`, `${operators[operator]?.[0]}/1.0`),
    ),
    ...Array.from(visitors, (visit) => {
      const [day = '', address = ''] = visit.split(' ');
      return logged(address, Number(day), '/', agent);
    }),
  ].toSorted((left, right) => (left.slice(5) < right.slice(5) ? -1 : 1));
}

function logged(address: string, day: number, path: string, agent: string): string {
  const [, date = '', month = '', year = ''] =
    /, (\d\d) (\w{3}) (\d{4})/.exec(new Date(day * 86_400_000).toUTCString()) ?? [];
  return `${address} - - [${date}/${month}/${year}:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;
}

function whole(random: Random, below: number): number {
  return Math.floor(random.next() * below);
}
