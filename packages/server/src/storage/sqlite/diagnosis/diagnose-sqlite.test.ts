import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diagnoseSqlite } from './diagnose-sqlite.ts';
import { databaseFiles } from '../files/files.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { migrateFiles } from '../migrate.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

test('a new database is well in every respect', async () => {
  const files = await database();
  expect(findings(files).filter((found) => !found.endsWith(' ok'))).toEqual([]);
});

test('a damaged page is a problem', async () => {
  const files = await database();
  const bytes = readFileSync(files.data);
  bytes.fill(0xff, 4096 * 2, 4096 * 3);
  writeFileSync(files.data, bytes);
  expect(findings(files)).toContain('integrity problem');
});

test.each(['data', 'access', 'folder'] as const)(
  'a place that this user may not write is a problem: %s',
  async (part) => {
    const files = await database();
    const refused = part === 'folder' ? join(files.data, '..') : files[part];
    // Root may do everything, so pretend.
    const canAccess = (path: string): boolean => path !== refused;
    expect(findings(files, { canAccess })).toContain('permissions problem');
  },
);

test.each([
  [1100, 'ok'],
  [1000, 'warning'],
  [60, 'problem'],
])('a disk with %i MiB free is reported as: %s', async (mebibytes, state) => {
  const files = await database();
  const freeBytes = (): number => mebibytes * 2 ** 20;
  expect(findings(files, { freeBytes })).toContain(`disk ${state}`);
});

async function database(): Promise<DatabaseFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = databaseFiles(join(folder, 'test.db'));
  await migrateFiles(files, { mayCreate: true });
  return files;
}

/** `schema ok`, `disk warning`, ... */
function findings(
  files: DatabaseFiles,
  disk: Omit<Parameters<typeof diagnoseSqlite>[1], 'clock'> = {},
): string[] {
  // The disk of the machine that runs the tests may be almost full.
  return diagnoseSqlite(files, { clock, freeBytes: () => 2 ** 40, ...disk }).map(
    ({ check, state }) => `${check} ${state}`,
  );
}
