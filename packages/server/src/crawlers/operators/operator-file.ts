import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Refusal } from '../../refusals.ts';
import type { ListDoubt } from '../../refusals/operator-lists.ts';
import type { DataTables } from '../../storage/schema.ts';
import { isIpv4 } from '../../values/addresses/address.ts';
import { bots, findRangeList, rangeLists } from '../bots/catalogue.ts';
import { readOwnBots } from '../bots/workspace-bots.ts';
import { readUpTo } from '../../values/read-up-to.ts';
import { findNotGlobal, parseNetwork } from '../../values/addresses/networks.ts';
import type { Network } from '../../values/addresses/networks.ts';
import {
  keepFileVersion,
  readFileVersions,
  readListContent,
  writeListContent,
} from './file-versions.ts';
import type { FileVersion } from './file-versions.ts';
import { directoryPrefix, directoryUrl, parseDirectory } from './key-directory.ts';
import { formOf, MalformedList, parseListFile } from './list-file.ts';
import { proxyPrefix } from './lists.ts';

const bytesMax = 5_000_000;

/** A file that an operator publishes: a list of networks, or a key directory. */
export type OperatorFile = Awaited<ReturnType<typeof readKnownFiles>>[number];

/** Every file that can be fetched: those of the catalogue, and the key directories of own bots. */
export async function readKnownFiles(db: Kysely<DataTables>) {
  const agents = [...bots, ...(await readOwnBots(db))].flatMap(({ agent }) => agent ?? []);
  const directories = [...new Set(agents)].map((agent) => ({
    id: directoryPrefix + agent,
    url: directoryUrl(agent),
  }));
  return [...rangeLists.map(({ id, url }) => ({ id, url })), ...directories];
}

/**
 * Reads an operator's file: its content as it is stored, the number of its networks or keys, and the time
 * in it, in milliseconds since 1970. Throws a `MalformedList` if it does not have the form of its id.
 */
export async function readOperatorFile(id: string, stream: AsyncIterable<Uint8Array> | null) {
  const bytes = await readUpTo(stream, bytesMax);
  if (bytes.length > bytesMax) throw new MalformedList({ kind: 'too_large', bytesMax });
  const text = bytes.toString('utf8');
  if (id.startsWith(directoryPrefix)) {
    const content = parseDirectory(text);
    return { content, size: sizeOf(content), createdMs: null };
  }
  const service = findRangeList(id)?.service;
  const { prefixes, createdMs } = parseListFile(text, formOf(id), { service });
  return { content: writeListContent(prefixes), size: prefixes.length, createdMs };
}

/** The number of networks or keys in a stored content. */
export function sizeOf(content: string): number {
  return storedArray.parse(JSON.parse(content)).length;
}

const storedArray = z.array(z.unknown());

/** A list may grow by this many entries, or to this many times its size. */
const growth = { entries: 20, times: 3 } as const;
/** A first text file of more single addresses may be the visitors in a log. */
const singlesMax = 20;
/** Operators' networks are far narrower. */
const bitsMin = { 4: 16, 6: 32 } as const;

type DatedFile = FileVersion & { readonly id: string; readonly path?: string };

/**
 * Stores a file. Returns whether its content is new. Unless `isAccepted`, throws a `Refusal` for a list
 * that is unlikely to be its operator's.
 */
export async function keepOperatorFile(
  db: Kysely<DataTables>,
  { path, ...file }: DatedFile,
  { from, isAccepted }: { from: 'import' | 'update'; isAccepted: boolean },
): Promise<boolean> {
  const { id } = file;
  if (!isAccepted && !id.startsWith(directoryPrefix)) {
    const fault = await findDoubt(db, file, from);
    if (fault !== undefined) throw new Refusal('list_unlikely', { id, from, path, fault });
  }
  return keepFileVersion(db, { fileId: id, ...file });
}

/**
 * Compares a list with the version before it, or else the first one after it. An address in a list
 * makes a hit verified, so a list with too much in it lets forgers pass. A fetched list must not lose
 * more than half either: a page that was cut off would accuse genuine visitors.
 */
async function findDoubt(
  db: Kysely<DataTables>,
  { id, content, lastMs }: DatedFile,
  from: 'import' | 'update',
): Promise<ListDoubt | undefined> {
  const versions = (await readFileVersions(db, id)).get(id) ?? [];
  const previous = versions.findLast(({ firstMs }) => firstMs <= lastMs) ?? versions[0];
  const before = previous && readListContent(previous.content);
  const next = readListContent(content);
  const loss = from === 'update' ? findLoss(next, before ?? []) : undefined;
  return findUnlikely(id, next, before) ?? loss;
}

function findLoss(next: readonly string[], previous: readonly string[]): ListDoubt | undefined {
  const [entries, before] = [next.length, previous.length];
  return entries * 2 < before ? { kind: 'size', entries, before } : undefined;
}

function findUnlikely(
  id: string,
  next: readonly string[],
  previous: readonly string[] | undefined,
): ListDoubt | undefined {
  const networks = parseAll(next);
  const inside = findNotGlobal(networks);
  if (inside !== undefined) return { kind: 'not_global', network: inside.text };
  // Content networks have wide networks, and single addresses.
  if (id.startsWith(proxyPrefix)) return undefined;
  const wide = networks.find(({ bits, first }) => bits < bitsMin[isIpv4(first) ? 4 : 6]);
  if (wide !== undefined) return { kind: 'too_wide', network: wide.text };
  const singles = networks.filter(isSingle).length;
  const [entries, before] = [next.length, previous?.length];
  if (previous === undefined || before === undefined) {
    const isText = ['own', 'geofeed'].includes(formOf(id));
    const areVisitors = isText && singles > singlesMax && singles * 2 > entries;
    return areVisitors ? { kind: 'visitors', singles } : undefined;
  }
  if (entries > before * growth.times && entries > before + growth.entries) {
    return { kind: 'size', entries, before };
  }
  const areNew = singles > 0 && !parseAll(previous).some(isSingle);
  return areNew ? { kind: 'singles', singles } : undefined;
}

function parseAll(prefixes: readonly string[]): Network[] {
  return prefixes.flatMap((text) => parseNetwork(text) ?? []);
}

function isSingle({ first, bits }: Network): boolean {
  return bits === (isIpv4(first) ? 32 : 128);
}
