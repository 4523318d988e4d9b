import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { commandPlace, freshSqlite, logLine } from '../../../test/logs/crawler-commands.ts';

test('a day as --until is included whole, and a moment is where the hits end', async () => {
  const { run, write } = await commandPlace(await freshSqlite());
  const at = (time: string) => logLine('20.171.207.5').replace('20/Nov/2026:12:00:00', time);
  const days = ['19/Nov/2026:12:00:00', '20/Nov/2026:23:59:59', '21/Nov/2026:00:00:00'];
  const log = await write('a.log', days.map(at).join(''));
  const ingest = ['hits', 'ingest', log, '--workspace', 'acme', '--no-dns', '--from-start'];
  for (const [until, hits] of [
    ['2026-11-20', 2],
    ['2026-11-20T23:59:59Z', 1],
  ] as const) {
    const { stdout } = await run(...ingest, '--dry-run', '--json', '--until', until);
    expect([until, JSON.parse(stdout).hits_new]).toEqual([until, hits]);
  }
  await run(...ingest);
  for (const [until, hits] of [
    ['2026-11-20', 2],
    ['2026-11-20T00:00:00Z', 1],
  ] as const) {
    const report = ['robots', 'report', '--workspace', 'acme', '--since', '2026-11-01', '--json'];
    const { stdout } = await run(...report, '--until', until);
    expect([until, JSON.parse(stdout).without_file]).toEqual([until, hits]);
  }
});

test('the refusal of a time names the option that has it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (line: string) =>
    runCommand([...line.split(' '), '--database', `file:${join(folder, 'a.db')}`]);
  await run('workspace create acme --name Acme --brand Acme');
  for (const [line, flag] of [
    ['answers redetect --workspace acme', '--since'],
    ['referrals --workspace acme', '--until'],
    ['ranges import list.json', '--fetched-at'],
    ['ranges remove openai/gptbot', '--first-at'],
    ['robots remove --host www.acme.com --workspace acme', '--at'],
  ] as const) {
    const { code, stderr } = await run(`${line} ${flag} soon`);
    expect([line, code]).toEqual([line, 2]);
    expect(stderr).toMatch(new RegExp(`^${flag} must be .*, not "soon"\\.`));
  }
});
