import { mkdir, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { freshSqlite } from '../../../../test/logs/crawler-commands.ts';
import { dueBackups } from './kept-backups.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-27T10:00:00.000Z');

async function aDatabase() {
  const database = await freshSqlite();
  const acme = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
  await runCommand([...acme, '--database', database]);
  return database;
}

async function aPlace() {
  const database = await aDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'overheard-backups-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const backUp = async (nowMs: number) => {
    const names = dueBackups({ folder, database, nowMs });
    for (const name of names) {
      const line = ['backup', '--force', join(folder, name), '--database', database];
      const { code, stderr } = await runCommand(line, { clock: () => nowMs });
      expect(code, stderr).toBe(0);
    }
    return names;
  };
  const doctor = (nowMs: number) =>
    runCommand(['doctor', '--database', database, '--backups', folder], { clock: () => nowMs });
  return { database, folder, backUp, doctor };
}

test(
  'a backup is due once a day, a week and a month, and no name outlives its days, weeks or months',
  { tags: ['long'] },
  async () => {
    const { backUp } = await aPlace();
    expect(await backUp(start)).toEqual(['day-2', 'week-2', 'month-11']);
    expect(await backUp(start + day / 2)).toEqual([]);
    const seen = new Set<string>();
    const made = [];
    for (let days = 1; days <= 40; days++) {
      const names = await backUp(start + days * day);
      for (const name of names) seen.add(name);
      made.push(names.length);
    }
    expect(made.every((count) => count >= 1)).toBe(true);
    // 40 days, 5 weeks that begin, and the months 12 and 1.
    expect(made.reduce((sum, count) => sum + count)).toBe(40 + 5 + 2);
    expect([...seen].toSorted()).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `day-${index + 1}`),
      'month-01',
      'month-12',
      ...Array.from({ length: 4 }, (_, index) => `week-${index + 1}`),
    ]);
  },
);

test('doctor says how old the newest backup is, and that there is none', async () => {
  const { folder, backUp, doctor } = await aPlace();
  await rm(folder, { recursive: true });
  expect((await doctor(start)).stdout).toContain(`There is no backup in ${folder}.`);
  await mkdir(folder);
  expect((await doctor(start)).stdout).toContain(`There is no backup in ${folder}.`);
  await backUp(start);
  expect((await doctor(start + day)).stdout).toContain('is of 2026-11-27');
  const late = await doctor(start + 3 * day);
  expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('problem  backups')]);
});

test('backups of another database are not replaced, and do not count', async () => {
  const { folder, backUp } = await aPlace();
  await backUp(start);
  const other = await aDatabase();
  expect(() => dueBackups({ folder, database: other, nowMs: start + day })).toThrow(
    expect.objectContaining({ code: 'backups_of_another' }),
  );
  const { code, stdout } = await runCommand(['doctor', '--database', other, '--backups', folder], {
    clock: () => start,
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('is a backup of another database')]);
});

test('a backup of a clock that ran ahead is replaced, and does not count', async () => {
  const { backUp, doctor } = await aPlace();
  await backUp(start + 7 * day);
  expect((await doctor(start)).stdout).toContain('There is no backup');
  expect(await backUp(start)).toEqual(['day-2', 'week-2', 'month-11']);
  expect((await doctor(start)).code).toBe(0);
});

test.each([
  [['--backups', '/nowhere/backups'], 1, 'There is no folder /nowhere/backups.'],
  [['--backups', '/tmp', '--database', 'postgres://127.0.0.1:9/x'], 2, 'Leave out --backups'],
])('serve %j is refused before it listens', async (options, code, words) => {
  const served = await runCommand(['serve', '--port', '0', ...options]);
  expect(served).toMatchObject({ code, stderr: expect.stringContaining(words) });
});

test(
  'doctor says from the sizes of backups how the database grows, and warns before its disk is full',
  { tags: ['long'] },
  async () => {
    const { database, folder, backUp, doctor } = await aPlace();
    await backUp(start);
    const answers = Array.from({ length: 200 }, (_, place) => ({
      prompt: 'Which?',
      engine: 'chatgpt',
      run_at: `2026-11-20T10:00:00.${100 + place}Z`,
      answer: `Acme ${place}. `.repeat(500),
    }));
    const line = ['answers', 'import', '-', '--workspace', 'acme', '--database', database];
    await runCommand(line, { stdin: JSON.stringify(answers) });
    await backUp(start + day);
    expect((await doctor(start + day)).stdout).not.toContain('growth');
    const names = await backUp(start + 4 * day);
    expect((await doctor(start + 4 * day)).stdout).toMatch(
      /^(ok|warning) +growth +The database grows by 0\.[1-9] MiB a day: its disk is full in \d+ days\./m,
    );
    for (const name of names) await truncate(join(folder, name, 'overheard.db'), 2 ** 40);
    const late = await doctor(start + 4 * day);
    expect(late.stdout).toMatch(
      /^warning +growth .* is full in 0 days\.\n +-> Make the disk larger/m,
    );
  },
);
