import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillDemo } from '../../packages/server/src/demo/fill.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runCommand } from '../../packages/server/test/commands/command-line.ts';
import { runnableBlocks, runShell } from './run-shell.ts';
import { repository } from '../source-files.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');

test('the commands of the README work for a newcomer, from an empty folder to an answer', async () => {
  const blocks = runnableBlocks(readme);
  expect(blocks.length).toBeGreaterThan(2);
  const isGone = 'wait $! && ! curl -s http://127.0.0.1:8484/healthz && echo the server ended';
  const { code, output } = await runShell([...blocks, isGone].join('\n'));
  expect(output).toContain('Imported 19 new runs');
  const explained = shownLines('2026-11-18T07:15');
  expect(explained).toHaveLength(4);
  for (const line of explained) expect(output).toContain(line);
  // The import has found the gaps already while the example's answers are recent.
  expect(output).toMatch(/Opened [1-9]\d* actions?|updated [1-9]/);
  expect(output).toMatch(/"recommendation":"Get cited more often for .*"status":"open"/);
  expect(output).toContain('the server ended');
  expect(code).toBe(0);
});

test(
  "the report that the README shows is that of the demo's data",
  { tags: ['long'] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'overheard-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const database = `file:${join(folder, 'demo.db')}`;
    const clock = (): number => Date.parse('2026-11-20T12:00:00Z');
    const store = await openStore(database, { mayCreate: true });
    await fillDemo(store, { clock, signal: new AbortController().signal });
    await store.close();

    const report = ['report', '--workspace', 'demo', '--database', database];
    const { stdout } = await runCommand(report, { clock, columns: 100 });

    const shown = shownLines('Citation rate');
    expect(shown.length).toBeGreaterThan(3);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(shown));
  },
);

/** The lines of the README's block that begins with some words, without those left out. */
function shownLines(begin: string): string[] {
  const block = readme.split(/^```\w*\n/m).find((text) => text.startsWith(begin)) ?? '';
  return block.split('\n').filter((line) => line !== '' && line !== '...');
}

test('the README starts no server in the background by npx, which would outlive `kill $!`', () => {
  expect(readme).not.toMatch(/npx overheard serve.*&/);
});
