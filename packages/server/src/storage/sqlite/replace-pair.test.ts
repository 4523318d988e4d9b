import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseFiles } from './files.ts';
import type { DatabaseFiles } from './files.ts';
import { refuseMissing } from './migrate.ts';
import { replaceSteps } from './replace-pair.ts';

/** More than there are steps. */
const stops = Array.from({ length: 10 }, (_, index) => index);

function folderWith(content: string | undefined): DatabaseFiles {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-pair-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = databaseFiles(join(folder, 'backup.db'));
  if (content !== undefined) {
    write(files, content);
    // Of somebody who opened it: it belongs to the file beside it, and to no other.
    for (const path of [files.data, files.access]) writeFileSync(`${path}-wal`, ' and its log');
  }
  return files;
}

function write({ data, access }: DatabaseFiles, content: string): void {
  writeFileSync(data, `data, ${content}`);
  writeFileSync(access, `keys, ${content}`);
}

function drafts({ data, access }: DatabaseFiles, content: string): DatabaseFiles {
  const made = { data: `${data}.draft`, access: `${access}.draft` };
  write(made, content);
  return made;
}

/** Does what a replacement does until it is killed behind so many steps; whether it had ended. */
function replace(to: DatabaseFiles, content: string, stepsMax = Infinity): boolean {
  const steps = replaceSteps(drafts(to, content), to);
  for (let done = 0; done < stepsMax; done += 1) if (steps.next().done === true) return true;
  return false;
}

/** What the files and their logs say, each under its name or else with `.replaced` behind it. */
function pair(files: DatabaseFiles, isOlder: boolean): string[] {
  return [files.data, files.access].map((path) => {
    const older = `${path}.replaced`;
    const found = isOlder && existsSync(older) ? older : path;
    return existsSync(found) ? textOf(found) + textOf(`${found}-wal`) : 'missing';
  });
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function isWhole([data = '', keys = '']: readonly string[]): boolean {
  return data !== 'missing' && data.slice(6) === keys.slice(6);
}

/** What somebody is told who opens the pair by its name; nothing where both files are there. */
function refusal(files: DatabaseFiles): string {
  try {
    refuseMissing(files, { mayCreate: true });
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('a pair of files that takes the place of an older one', () => {
  test.each(stops)('is there whole, or the older one is, where it stops after %i steps', (stop) => {
    const files = folderWith('old');
    const hasEnded = replace(files, 'new', stop);
    const named = pair(files, false);
    expect([named, pair(files, true)].some(isWhole)).toBe(true);
    expect(!hasEnded || named.includes('data, new')).toBe(true);
    // Nobody restores one file of each unknowingly.
    const isIncomplete = named.includes('missing');
    expect(isIncomplete || isWhole(named)).toBe(true);
    // No file has the log of another.
    expect([...named, ...pair(files, true)]).not.toContainEqual(
      expect.stringMatching(/new and its log|old$/),
    );
    const words = 'The older one is there: take ".replaced" off the end of ';
    expect(refusal(files).includes(words)).toBe(isIncomplete);
  });

  test.each(stops)('does so after one that stopped after %i steps, and tidies up', (stop) => {
    for (const again of stops) {
      const files = folderWith('old');
      replace(files, 'new', stop);
      replace(files, 'newer', again);
      expect([pair(files, false), pair(files, true)].some(isWhole)).toBe(true);
      expect(replace(files, 'newest')).toBe(true);
      expect(pair(files, false)).toEqual(['data, newest', 'keys, newest']);
      const names = readdirSync(join(files.data, '..'));
      expect(names.toSorted()).toEqual(['backup.access.db', 'backup.db']);
    }
  });

  test('comes where none was, and leaves no log of an older one beside it', () => {
    const files = folderWith(undefined);
    for (const path of [files.data, files.access]) writeFileSync(`${path}-wal`, 'stale');
    expect(replace(files, 'new')).toBe(true);
    expect(readdirSync(join(files.data, '..')).toSorted()).toEqual([
      'backup.access.db',
      'backup.db',
    ]);
  });
});
