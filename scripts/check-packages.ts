/**
 * Checks the built packages as their users get them: what npm would publish is packed, unpacked into
 * an empty `node_modules` beside links to the dependencies, and its programs are run there.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { builtPackages, installPackages } from './packed-packages.ts';
import type { BuiltPackage } from './packed-packages.ts';

const built = builtPackages();
for (const each of built) await lint(each);
const place = mkdtempSync(join(tmpdir(), 'overheard-packages-'));
try {
  const modules = installPackages(built, place);
  for (const each of built) run(each, { folder: place, modules });
  checkServer(place, join(modules, 'overheard', 'src'));
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function lint({ dist, manifest }: BuiltPackage): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: dist, strict: true, level: 'suggestion' });
  const words = messages.map((message) => formatMessage(message, pkg));
  if (words.length > 0) throw new Error(`publint on ${manifest.name}:\n${words.join('\n')}`);
}

function run(
  { manifest }: BuiltPackage,
  { folder, modules }: { folder: string; modules: string },
): void {
  for (const [name, path] of Object.entries(manifest.bin)) {
    const program = join(modules, manifest.name, path);
    const help = execFileSync(process.execPath, [program, '--help'], { cwd: folder });
    if (!help.includes(name)) throw new Error(`\`${name} --help\` printed:\n${help.toString()}`);
    say(`${name} --help runs from the packed ${manifest.name}`);
  }
  if ('.' in manifest.exports) {
    const script = `if (Object.keys(await import('${manifest.name}')).length === 0) process.exit(1)`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    say(`${manifest.name} can be imported as it is packed`);
  }
}

/** What only a built server has: its elements in one script, and the file of its threads. */
function checkServer(folder: string, source: string): void {
  const script = `
    const { readAssets } = await import('${source}/web/assets.js');
    new Function(readAssets().script.body.toString());
    const { runThread } = await import('${source}/jobs/run-thread.js');
    const preview = { workspaceId: '', edit: { action: 'archive', id: '', version: '', name: '' } };
    const [said] = await runThread({ database: 'file:./none.db', preview }).messages;
    if (said?.refusal?.code !== 'database_not_found') throw new Error(JSON.stringify(said));
    const { createReportReader } = await import('${source}/web/reader/report-reader.js');
    const query = { selectFrom: () => query, select: () => query, where: () => query, executeTakeFirst: async () => undefined };
    const store = { reader: query, mapFailure: (error) => error };
    const reader = createReportReader({ store, database: 'file:./none.db', clock: Date.now });
    const failure = await reader.of('').read('filters', {}).catch((error) => error);
    await reader.stop();
    if (failure.code !== 'database_not_found') throw failure;
    const { startCollector } = await import('${source}/collect/collector.js');
    const { promise, resolve } = Promise.withResolvers();
    const order = { database: 'file:./none.db', environment: {}, atOnce: 1, prices: [] };
    const collector = startCollector(order, resolve);
    const { error } = await promise;
    await collector.stop();
    if (!error?.message.includes('database_not_found')) throw error;`;
  const file = join(folder, 'check-server.mjs');
  writeFileSync(file, script);
  execFileSync(process.execPath, [file], { cwd: folder });
  say('overheard has its elements and its threads as it is packed');
}

function say(words: string): void {
  process.stdout.write(`${words}\n`);
}
