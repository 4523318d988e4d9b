/**
 * One step of an ingest alone, or what one writes first for it, in a process of its own:
 *
 *   npx node bench/crawlers/steps.ts NAME LOG
 *
 * Prints seconds, CPU seconds and the highest memory as JSON.
 */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { BlockList } from 'node:net';
import { createInterface } from 'node:readline';
import { bots } from '../../packages/server/src/crawlers/bots/catalogue.ts';
import { createRecogniser } from '../../packages/server/src/crawlers/bots/recognise.ts';
import { createFormats } from '../../packages/server/src/crawlers/formats/file-formats.ts';
import { readClient } from '../../packages/server/src/crawlers/ingest/client-address.ts';
import { createLineReader } from '../../packages/server/src/crawlers/ingest/line-reader.ts';
import { createLineSplitter } from '../../packages/server/src/crawlers/ingest/split-lines.ts';
import { writeListContent } from '../../packages/server/src/crawlers/operators/file-versions.ts';
import { createLists } from '../../packages/server/src/crawlers/operators/lists.ts';
import { judge } from '../../packages/server/src/crawlers/verify/judge.ts';
import { memoryOf } from '../processes.ts';
import { listIds, networksOf } from './lists.ts';

/** What is measured, by name; each reads a log. */
const steps: Readonly<Record<string, (log: string) => void | Promise<void>>> = {
  recognise: (log) => scan(log, {}),
  verify: (log) => scan(log, { isVerified: true }),
  'naive-recognise': (log) => naive(log, {}),
  'naive-verify': (log) => naive(log, { isVerified: true }),
};

const [name = '', path = ''] = process.argv.slice(2);
const step = steps[name];
if (step === undefined) throw new Error(`There is no step ${name}`);
const startedMs = performance.now();
const startCpu = process.cpuUsage();
await step(path);
const { user, system } = process.cpuUsage(startCpu);
process.stdout.write(
  JSON.stringify({
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: memoryOf(process.pid).peak,
  }),
);

function scan(log: string, { isVerified = false }: { isVerified?: boolean }): void {
  const heldMs = Date.now();
  const version = (id: string) => [
    {
      firstMs: heldMs - 20 * 86_400_000,
      lastMs: heldMs,
      firstAt: new Date(heldMs - 20 * 86_400_000).toISOString(),
      lastAt: new Date(heldMs).toISOString(),
      content: writeListContent(networksOf(id)),
    },
  ];
  const files = new Map(listIds.map((id) => [id, version(id)]));
  const lists = createLists(files);
  const reader = createLineReader(createFormats('auto'), {
    recognise: createRecogniser(bots),
  });
  let verified = 0;
  const splitter = createLineSplitter({
    onLine(line) {
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
}

/** What one writes first: a line at a time, a regular expression, a list of tokens, a list of networks. */
async function naive(log: string, { isVerified = false }: { isVerified?: boolean }): Promise<void> {
  const pattern = /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d+) \S+ "[^"]*" "([^"]*)"/;
  const tokens = new RegExp(bots.map(({ token }) => token.replaceAll('.', '\\.')).join('|'), 'i');
  const networks = blockLists();
  let found = 0;
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [, address = '', , , , , userAgent = ''] = pattern.exec(line) ?? [];
    const token = tokens.exec(userAgent)?.[0];
    if (token === undefined) continue;
    if (!isVerified || networks.get(token.toLowerCase())?.check(address) === true) found++;
  }
  if (found === 0) throw new Error('Nothing was found');
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
