import { z } from 'zod';
import { botCategory } from '@overheard/contract';
import facts from './bots.json' with { type: 'json' };

const day = z.iso.date();
const hostName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+$/;
const hostPattern = /^[a-z0-9.-]*\*?[a-z0-9.-]*\.[a-z]+$/;
const hostPatternWords = 'write a host name, with at most one star: crawl-*.example.com';
/** Operator and base name: `openai/gptbot`. */
export const fileId = z.string().regex(/^[a-z0-9-]+\/[a-z0-9._-]+$/);

/** Where an operator publishes addresses. */
const rangeList = z.strictObject({
  /** Operator and base name: `openai/gptbot`; of a proxy or a content network `proxy/NAME`. */
  id: fileId,
  url: z.url({ protocol: /^https?$/ }),
  /** How it is published: JSON, a page that carries JSON, CSV after RFC 8805, or any form of networks alone. */
  form: z.enum(['json', 'page', 'geofeed', 'own']).default('json'),
  /** How near to a request, in days, the list must be to say anything of it. */
  nearDays: z.int().min(1),
  /** Read only the list's entries whose `service` begins with this word. */
  service: z.string().optional(),
  checked: day,
});

/** Networks that an operator's pages name, without a file to fetch. */
const documentedNetworks = z.strictObject({
  id: fileId,
  networks: z.array(z.string()),
  docs: z.url(),
  checked: day,
});

/** One row of the catalogue: facts of one bot, from its operator's documents. */
export const bot = z.strictObject({
  /** What its user agent contains, as the operator writes it. */
  token: z.string().regex(/^[\w][\w. -]{1,63}$/),
  name: z.string().min(1),
  company: z.string().min(1),
  category: botCategory,
  /** Ids of the lists of its addresses. */
  lists: z.array(fileId).default([]),
  /** Host names that its addresses resolve to; one `*` stands for one or more characters. */
  dns: z.array(z.string().regex(hostPattern, hostPatternWords)).default([]),
  /** Host of the key directory that its signatures name (Web Bot Auth). */
  agent: z.string().regex(hostName, 'write a host name such as agent.example.com').optional(),
  /** Whether the published means is complete: an address that fails it is not the bot's. */
  isAuthoritative: z.boolean().default(false),
  /** A token that people have for a name too, and so for their devices: it counts with a version alone. */
  needsVersion: z.boolean().default(false),
  /** A token for robots.txt alone, which no request carries. */
  isNeverSent: z.boolean().default(false),
  /** Other tokens, the rules for which it obeys if robots.txt does not name its own. */
  robotsTokens: z.array(z.string()).default([]),
  /** Whether its operator says that robots.txt may not apply to it, because a person sends it. */
  ignoresRobots: z.boolean().default(false),
  /** The operator's page about it. Null if none is known. */
  docs: z.url().nullable(),
  /** The day on which the facts were checked. Null if they come from a third party's list. */
  checked: day.nullable(),
});

export type Bot = Readonly<z.output<typeof bot>>;
export type RangeList = Readonly<z.output<typeof rangeList>>;

const catalogue = z
  .strictObject({
    lists: z.array(rangeList),
    networks: z.array(documentedNetworks),
    bots: z.array(bot),
  })
  .parse(facts);

/** Every bot that we know of. `docs/crawlers.md` shows the same table. */
export const bots: readonly Bot[] = catalogue.bots;

export const rangeLists: readonly RangeList[] = catalogue.lists;

/** Networks that are documented rather than listed in a file, by ids like those of lists. */
export const catalogueNetworks: ReadonlyMap<string, readonly string[]> = new Map(
  catalogue.networks.map(({ id, networks }) => [id, networks]),
);

const listsById = new Map(rangeLists.map((list) => [list.id, list]));

/** The list of an id; undefined for one that a workspace's own bot brought. */
export function findRangeList(id: string): RangeList | undefined {
  return listsById.get(id);
}

const botsByCompany = Map.groupBy(bots, ({ company }) => company);

/** What the ids of an operator's lists begin with: `openai/`. */
export function operatorPrefixes({ company, lists }: Bot): readonly string[] {
  const listPrefixes =
    botsByCompany.get(company)?.flatMap((catalogueBot) => catalogueBot.lists) ?? [];
  const ids = listPrefixes.length > 0 ? listPrefixes : lists;
  return [...new Set(ids.map((id) => id.slice(0, id.indexOf('/') + 1)))];
}

/** How a bot can be verified, in words. */
export function meansOf({ lists, dns, agent, isNeverSent, isAuthoritative }: Bot): string {
  if (isNeverSent) return 'never sent: every use is forged';
  const means = [
    ...lists,
    ...(dns.length > 0 ? [`host names ${dns.join(', ')}`] : []),
    ...(agent === undefined ? [] : [`signatures of ${agent}`]),
  ];
  if (means.length === 0) return 'nothing';
  const isPartial = !isAuthoritative && lists.length + dns.length > 0;
  return `${means.join('; ')}${isPartial ? ' (not complete)' : ''}`;
}
