import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../test/commands/command-line.ts';
import { anyId } from '../test/refusals/case.ts';
import type { Place } from '../test/refusals/case.ts';
import { caseOf, guardCodes, sayingOf } from '../test/refusals/refusal-cases.ts';

const possible = guardCodes.filter((code) => caseOf(code).isPossible !== false);

test.each(possible)('%s is refused in its own words and with its exit code', async (code) => {
  const place = await openPlace();
  const outcome = await caseOf(code).provoke(place);
  const said = outcome.stderr
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, anyId)
    // Hints name the database and the workspace of the command.
    .replaceAll(/ --database (?:file:[^\s`]+|"\$OVERHEARD_DATABASE")/g, '');
  const { words, exitCode } = sayingOf(code, place.folder);
  const anySlug = (text: string) => text.replaceAll(/(?<=--workspace )acme\b/g, 'SLUG');
  expect(anySlug(said)).toContain(anySlug(words));
  expect(outcome.code).toBe(exitCode);
});

async function openPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-refusal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = `file:${join(folder, 'test.db')}`;
  return { folder, url, run: (...args) => runCommand([...args, '--database', url]) };
}
