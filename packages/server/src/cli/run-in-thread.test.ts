import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { answered, plantedKey, startCollecting } from '../../test/engines/collecting.ts';
import { runCommand, spawnCommand } from '../../test/commands/command-line.ts';

const line =
  '20.171.206.7 - - [20/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.3"\n';

/** Runs this in each thread of the program before anything else. */
const first = (program: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import { isMainThread, resourceLimits } from 'node:worker_threads';${program}`,
  )}`;

const report = 'if (!isMainThread) console.error(JSON.stringify(resourceLimits));';

/** Fills the heap of the thread. */
const fill = `const all = [];
  const more = () => {
    for (let count = 0; count < 2000; count++) all.push(new Array(1000).fill({}));
    setImmediate(more);
  };
  if (!isMainThread) more();`;

describe('a command that runs in a thread', () => {
  let folder: string;
  let log: string;
  let place: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'overheard-thread-'));
    log = join(folder, 'access.log');
    writeFileSync(log, line);
    const database = ['--database', `file:${join(folder, 'a.db')}`];
    place = ['--workspace', 'acme', ...database];
    const create = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
    await runCommand([...create, ...database]);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    [['hits', 'ingest', 'absent.log'], 1],
    [['hits', 'ingest'], 2],
  ])('%j has a bounded heap, and ends with %i for its failure', async (words, expected) => {
    const { ended } = spawnCommand([...words, ...place], { env: { NODE_OPTIONS: first(report) } });
    const { code, stderr } = await ended;
    const limits: object = JSON.parse(stderr.split('\n')[0] ?? '');
    expect(limits).toMatchObject({ maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 3 });
    expect(code).toBe(expected);
  });

  test('a paid answer whose parts need hundreds of megabytes is kept', async () => {
    const parts = Array.from({ length: 2_400_000 }, () => [1]);
    const json = { ...answered.json, parts };
    const database = `file:${join(folder, 'collect.db')}`;
    await startCollecting(database, { prompts: 1 }, { json });
    const words = ['collect', 'run', '--workspace', 'acme', '--now', '--database', database];
    const { ended } = spawnCommand(words, { env: { OWN_KEY: plantedKey } });
    const { stdout, stderr } = await ended;
    expect(stdout + stderr).toContain('Asked 1 question for $0.0020; imported 1 run.');
  });

  test('standard input is read to its end, in a bounded heap', async () => {
    const lines = 5000;
    const words = ['hits', 'ingest', '-', '--json', '--no-dns', ...place];
    const env = { NODE_OPTIONS: first(report) };
    const { child, ended } = spawnCommand(words, { env });
    child.stdin.end(line.repeat(lines));
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lines });
    expect(stderr).toContain('"maxOldGenerationSizeMb":96');
  });

  test('a command that does not start to read standard input ends without waiting for it', async () => {
    const { ended } = spawnCommand(['hits', 'ingest', '-', '--format', 'nonsense', ...place]);
    expect((await ended).code).toBe(2);
  });

  test('a signal stops it, and what it read is kept', async () => {
    const followed = join(folder, 'followed.log');
    writeFileSync(followed, line.replace('GET /', 'GET /followed'));
    const words = ['hits', 'ingest', followed, '--follow', '--no-dns', '--json', ...place];
    const { child, ended } = spawnCommand(words);
    while (!(await exported(place)).includes('/followed'))
      await new Promise((go) => setTimeout(go, 50));
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });

  test('if nobody reads its output, it ends as it does otherwise', async () => {
    const { child, ended } = spawnCommand(['hits', 'ingest', log, '--no-dns', ...place]);
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0 });
  });

  test('an ingest whose heap is full goes on without a memory limit and says what it counts', async () => {
    const words = ['hits', 'ingest', log, '--no-dns', '--from-start', '--json', ...place];
    const { ended } = spawnCommand(words, { env: { NODE_OPTIONS: first(fill) } });
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lines: 1 });
    expect(stderr).toContain('The counts below cover only that rest.');
  });

  test('if its memory does not suffice for standard input, it says to write the input to a file', async () => {
    const words = ['hits', 'ingest', '-', '--no-dns', ...place];
    const { ended } = spawnCommand(words, { env: { NODE_OPTIONS: first(fill) } });
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Write the input to a file');
  });
});

async function exported(place: readonly string[]): Promise<string> {
  return (await runCommand(['export', 'hits', ...place])).stdout;
}

test.each([
  [['--version'], 250],
  [['hits', 'ingest', '--help'], 700],
])('%j loads few modules', async (words, most) => {
  const count = `import { registerHooks } from 'node:module';
    let count = 0;
    registerHooks({ load: (url, context, next) => (count++, next(url, context)) });
    process.on('exit', () => console.error(count));`;
  const { ended } = spawnCommand(words, { env: { NODE_OPTIONS: first(count) } });
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  const counts = stderr.trim().split('\n').map(Number);
  expect(counts.reduce((all, each) => all + each, 0)).toBeLessThan(most);
});
