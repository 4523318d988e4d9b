import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { BlockList } from 'node:net';
import { createInterface } from 'node:readline';
import { parseAddress } from '../../packages/server/src/values/addresses/address.ts';
import { bots } from '../../packages/server/src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../../packages/server/src/crawlers/bots/recognise.ts';
import { createFormats } from '../../packages/server/src/crawlers/formats/file-formats.ts';
import { readClient } from '../../packages/server/src/crawlers/ingest/client-address.ts';
import { createLineReader } from '../../packages/server/src/crawlers/ingest/line-reader.ts';
import { createLineSplitter } from '../../packages/server/src/crawlers/ingest/split-lines.ts';
import {
  createNetworks,
  parseNetwork,
} from '../../packages/server/src/values/addresses/networks.ts';
import { writeListContent } from '../../packages/server/src/crawlers/operators/file-versions.ts';
import { createLists } from '../../packages/server/src/crawlers/operators/lists.ts';
import { judge } from '../../packages/server/src/crawlers/verify/judge.ts';
import { listIds, networksOf } from './lists.ts';

/** What is measured, by name; each returns how many lines, or look-ups, it did. */
export const steps: Readonly<Record<string, (log: string) => number | Promise<number>>> = {
  recognise: (log) => scan(log, {}),
  verify: (log) => scan(log, { isVerified: true }),
  'naive-recognise': (log) => naive(log, {}),
  'naive-verify': (log) => naive(log, { isVerified: true }),
  lookups,
};

function scan(log: string, { isVerified = false }: { isVerified?: boolean }): number {
  const heldMs = Date.now();
  const version = (id: string) => [
    {
      firstMs: heldMs - 20 * 86_400_000,
      lastMs: heldMs,
      content: writeListContent(networksOf(id)),
    },
  ];
  const files = new Map(listIds.map((id) => [id, version(id)]));
  const lists = createLists(files);
  const reader = createLineReader(createFormats('auto'), {
    recognise: createRecogniser(bots),
  });
  let lines = 0;
  let verified = 0;
  const splitter = createLineSplitter({
    onLine(line) {
      lines++;
      const outcome = reader.read(line);
      if (!isVerified || outcome.kind !== 'hit') return;
      const { bot, line: request } = outcome;
      const { address } = readClient(request, { proxies: undefined });
      const verdict = judge({ bot, address, atMs: request.atMs, nowMs: heldMs }, lists);
      if (verdict.verification === 'verified') verified++;
    },
    onLongLine() {},
  });
  const file = openSync(log, 'r');
  const buffer = Buffer.alloc(1 << 16);
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
    splitter.push(buffer.subarray(0, read));
  }
  closeSync(file);
  if (isVerified && verified === 0) throw new Error('Nothing was verified');
  return lines;
}

/** What one writes first: a line at a time, a regular expression, a list of tokens, a list of networks. */
async function naive(
  log: string,
  { isVerified = false }: { isVerified?: boolean },
): Promise<number> {
  const pattern = /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d+) \S+ "[^"]*" "([^"]*)"/;
  const tokens = new RegExp(bots.map(({ token }) => token.replaceAll('.', '\\.')).join('|'), 'i');
  const networks = blockLists();
  let lines = 0;
  let found = 0;
  for await (const line of createInterface({ input: createReadStream(log) })) {
    lines++;
    const [, address = '', , , , , userAgent = ''] = pattern.exec(line) ?? [];
    const token = tokens.exec(userAgent)?.[0];
    if (token === undefined) continue;
    if (!isVerified || networks.get(token.toLowerCase())?.check(address) === true) found++;
  }
  if (found === 0) throw new Error('Nothing was found');
  return lines;
}

/** The networks of each bot, by its token. */
function blockLists(): ReadonlyMap<string, BlockList> {
  const known = bots.flatMap(({ token, lists: ids }) => {
    const networks = ids.flatMap((id) => networksOf(id));
    const blockList = new BlockList();
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      blockList.addSubnet(address, Number(bits));
    }
    return networks.length === 0 ? [] : [[token.toLowerCase(), blockList] as const];
  });
  return new Map(known);
}

/** Addresses that are looked up in 2,000 networks. */
function lookups(): number {
  const networks = Array.from(
    { length: 2000 },
    (_, index) => `${10 + (index >> 5)}.${(index & 31) * 8}.0.0/20`,
  );
  const set = createNetworks(networks.flatMap((text) => parseNetwork(text) ?? []));
  const addresses = Array.from({ length: 4096 }, (_, index) =>
    parseAddress(`${10 + (index & 63)}.${(index * 37) & 255}.${index & 31}.1`),
  ).flatMap((address) => address ?? []);
  let found = 0;
  const rounds = 5000;
  for (let round = 0; round < rounds; round++) {
    for (const address of addresses) if (set.find(address) !== undefined) found++;
  }
  if (found === 0) throw new Error('Nothing was found');
  return rounds * addresses.length;
}
