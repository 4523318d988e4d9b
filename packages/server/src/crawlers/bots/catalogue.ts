import { z } from 'zod';
import { botCategory } from '@overheard/contract';
import facts from './bots.json' with { type: 'json' };

const day = z.iso.date();
const hostName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+$/;
const hostPattern = /^[a-z0-9.-]*\*?[a-z0-9.-]*\.[a-z]+$/;
const hostPatternWords = 'write a host name, with at most one star: crawl-*.example.com';
/** Operator and base name: `openai/gptbot`. */
export const fileId = z.string().regex(/^[a-z0-9-]+\/[a-z0-9._-]+$/);

/** Where an operator publishes the addresses that its bots use. */
const rangeList = z.strictObject({
  /** Operator and base name: `openai/gptbot`. */
  id: fileId,
  url: z.url({ protocol: /^https?$/ }),
  /** How the operator publishes it: JSON, a page that carries JSON, or CSV after RFC 8805. */
  form: z.enum(['json', 'page', 'geofeed']).default('json'),
  /** How near in time the list must be to say that an address is not the operator's. */
  nearDays: z.int().min(1),
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
  /** The operator's page about it; null where we know of none. */
  docs: z.url().nullable(),
  /** The day on which the facts were checked; null where they are from a third party's list. */
  checked: day.nullable(),
});

export type Bot = Readonly<z.output<typeof bot>>;
export type RangeList = Readonly<z.output<typeof rangeList>>;
export type ListForm = RangeList['form'];

const catalogue = z.strictObject({ lists: z.array(rangeList), bots: z.array(bot) }).parse(facts);

/** Every bot that we know of. `docs/crawlers.md` shows the same table. */
export const bots: readonly Bot[] = catalogue.bots;

/** Every list of addresses that an operator publishes. */
export const rangeLists: readonly RangeList[] = catalogue.lists;

/** Hosts whose key directories verify signatures. */
export const signatureAgents: readonly string[] = bots.flatMap(({ agent }) => agent ?? []);

const listsById = new Map(rangeLists.map((list) => [list.id, list]));

/** The list of an id; undefined for one that a workspace's own bot brought. */
export function findRangeList(id: string): RangeList | undefined {
  return listsById.get(id);
}
