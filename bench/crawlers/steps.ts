import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseAddress } from '../../packages/server/src/crawlers/addresses/address.ts';
import { parsePrefix } from '../../packages/server/src/crawlers/addresses/prefix.ts';
import { createRangeSet } from '../../packages/server/src/crawlers/addresses/range-set.ts';
import { bots } from '../../packages/server/src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../../packages/server/src/crawlers/bots/recognise.ts';
import { createFormats } from '../../packages/server/src/crawlers/formats/all.ts';
import { createAgentMemo } from '../../packages/server/src/crawlers/ingest/agent-memo.ts';
import { clientAddress } from '../../packages/server/src/crawlers/ingest/client-address.ts';
import { ingestFiles, prepareIngest } from '../../packages/server/src/crawlers/ingest/ingest.ts';
import { createLineReader } from '../../packages/server/src/crawlers/ingest/line-reader.ts';
import { createLineSplitter } from '../../packages/server/src/crawlers/ingest/split-lines.ts';
import {
  keepFileVersion,
  writeListContent,
} from '../../packages/server/src/crawlers/ranges/operator-files.ts';
import { createVerifier } from '../../packages/server/src/crawlers/verify/verifier.ts';
import { openStore } from '../../packages/server/src/storage/open.ts';
import { createWorkspace } from '../../packages/server/src/workspaces/workspaces.ts';

/** Lists of some 500 networks, in which the generated crawlers' addresses are. */
const lists: Readonly<Record<string, string>> = {
  'openai/gptbot': '20.171.207.0/24',
  'openai/chatgpt-user': '23.98.142.0/24',
  'anthropic/bots': '216.73.216.0/22',
  'perplexity/perplexitybot': '18.97.9.0/24',
};
const heldMs = Date.parse('2026-11-01T00:00:00.000Z');

/** What is measured, by name; each returns how many lines, or look-ups, it did. */
export const steps: Readonly<
  Record<string, (log: string, database: string) => number | Promise<number>>
> = {
  recognise: (log) => scan(log, {}),
  verify: (log) => scan(log, { isVerified: true }),
  'ingest-sqlite': async (log) => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
    const lines = await ingest(log, `file:${join(folder, 'x.db')}`);
    await rm(folder, { recursive: true });
    return lines;
  },
  'ingest-postgres': ingest,
  naive,
  lookups,
};

function listContent(network: string): string {
  const others = Array.from(
    { length: 500 },
    (_, index) => `100.${index >> 2}.${(index & 3) * 64}.0/20`,
  );
  return writeListContent([...others, network]);
}

function scan(log: string, { isVerified = false }: { isVerified?: boolean }): number {
  const version = (network: string) => [
    { firstMs: heldMs, lastMs: heldMs, content: listContent(network) },
  ];
  const files = new Map(Object.entries(lists).map(([id, network]) => [id, version(network)]));
  const verifier = createVerifier({ files, bots, hostNames: undefined, clock: () => heldMs });
  const reader = createLineReader(createFormats('auto'), {
    recognise: createAgentMemo(createRecogniser(bots)),
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

async function ingest(log: string, database: string): Promise<number> {
  const clock = () => heldMs + 30 * 86_400_000;
  const store = await openStore(database, { mayCreate: true });
  const slug = `bench-${process.pid}`;
  const { id } = await createWorkspace(store, {
    slug,
    name: 'Bench',
    brand: { name: 'Bench' },
    clock,
  });
  for (const [fileId, network] of Object.entries(lists)) {
    const content = listContent(network);
    await keepFileVersion(store.writer, { fileId, content, firstMs: heldMs, lastMs: heldMs });
  }
  const { signal } = new AbortController();
  const context = await prepareIngest(store, { workspaceId: id, format: 'auto', clock, signal });
  const { summary } = await ingestFiles([log], context, { stdin: Readable.from([]) });
  await store.close();
  return summary.lines;
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
