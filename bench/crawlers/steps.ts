import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseAddress } from '../../packages/server/src/crawlers/addresses/address.ts';
import { parsePrefix } from '../../packages/server/src/crawlers/addresses/prefix.ts';
import { createRangeSet } from '../../packages/server/src/crawlers/addresses/range-set.ts';
import { bots } from '../../packages/server/src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../../packages/server/src/crawlers/bots/recognise.ts';
import { createFormats } from '../../packages/server/src/crawlers/formats/all.ts';
import { createAgentMemo } from '../../packages/server/src/crawlers/ingest/agent-memo.ts';
import { clientAddress } from '../../packages/server/src/crawlers/ingest/client-address.ts';
import { createLineReader } from '../../packages/server/src/crawlers/ingest/line-reader.ts';
import { createLineSplitter } from '../../packages/server/src/crawlers/ingest/split-lines.ts';
import { writeListContent } from '../../packages/server/src/crawlers/ranges/operator-files.ts';
import { createVerifier } from '../../packages/server/src/crawlers/verify/verifier.ts';
import { lists, networksOf } from './lists.ts';

/** What is measured, by name; each returns how many lines, or look-ups, it did. */
export const steps: Readonly<Record<string, (log: string) => number | Promise<number>>> = {
  recognise: (log) => scan(log, {}),
  verify: (log) => scan(log, { isVerified: true }),
  naive,
  lookups,
};

function scan(log: string, { isVerified = false }: { isVerified?: boolean }): number {
  const heldMs = Date.now();
  const version = (network: string) => [
    { firstMs: heldMs, lastMs: heldMs, content: writeListContent(networksOf(network)) },
  ];
  const files = new Map(Object.entries(lists).map(([id, network]) => [id, version(network)]));
  const verifier = createVerifier({ files, bots, hostNames: undefined, clock: () => heldMs });
  const reader = createLineReader(createFormats('auto'), {
    agents: createAgentMemo(createRecogniser(bots)),
  });
  let lines = 0;
  let verified = 0;
  const splitter = createLineSplitter({
    onLine(line) {
      lines++;
      const outcome = reader.read(line);
      if (!isVerified || outcome.kind !== 'hit') return;
      const address = clientAddress(outcome.line, undefined);
      const verdict = verifier.judge({ ...outcome.line, bot: outcome.bot, address });
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

/** What one writes first: a line at a time, a regular expression, a list of tokens. */
async function naive(log: string): Promise<number> {
  const pattern = /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d+) \S+ "[^"]*" "([^"]*)"/;
  const tokens = new RegExp(bots.map(({ token }) => token.replaceAll('.', '\\.')).join('|'), 'i');
  let lines = 0;
  let hits = 0;
  for await (const line of createInterface({ input: createReadStream(log) })) {
    lines++;
    const match = pattern.exec(line);
    if (match !== null && tokens.test(match[6] ?? '')) hits++;
  }
  if (hits === 0) throw new Error('Nothing was found');
  return lines;
}

/** Addresses that are looked up in 2,000 networks. */
function lookups(): number {
  const networks = Array.from(
    { length: 2000 },
    (_, index) => `${10 + (index >> 5)}.${(index & 31) * 8}.0.0/20`,
  );
  const set = createRangeSet(networks.flatMap((text) => parsePrefix(text) ?? []));
  const addresses = Array.from({ length: 4096 }, (_, index) =>
    parseAddress(`${10 + (index & 63)}.${(index * 37) & 255}.${index & 31}.1`),
  ).flatMap((address) => address ?? []);
  let found = 0;
  const rounds = 5000;
  for (let round = 0; round < rounds; round++) {
    for (const address of addresses) if (set.find(address) !== -1) found++;
  }
  if (found === 0) throw new Error('Nothing was found');
  return rounds * addresses.length;
}
