/**
 * Keeps a copy of a workspace in a folder, one JSON file for each kind and day. Reads only the days
 * that changed since the last call, so run it every night: `node pull.ts copy`. Needs the variables
 * OVERHEARD_URL and OVERHEARD_KEY.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { createClient } from './client.ts';

const folder = argv[2] ?? 'copy';
const cursorFile = join(folder, 'cursor');
const { all, page } = createClient({
  url: env['OVERHEARD_URL'] ?? '',
  key: env['OVERHEARD_KEY'] ?? '',
});

const read = {
  answers: (day: string) => all('answers', { from: day, to: day, limit: '200' }),
  detections: (day: string) => all('detections', { from: day, to: day }),
  hits: (day: string) => all('agent-hits', { from: day, to: day }),
};

for (let since = existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : ''; ;) {
  const { rows: days, next = '' } = await page('changes', since);
  // Read scores after their days: a write in between is in both, or its day comes again.
  const scores = days.some(({ kind }) => kind === 'scores') ? await all('scores') : [];
  for (const { kind, date } of days) {
    if (kind === 'scores')
      keep(
        kind,
        date,
        scores.filter((row) => row.date === date),
      );
    else keep(kind, date, await read[kind](date));
  }
  // Keep the cursor last: if the program stops before, these days are read again.
  since = next;
  mkdirSync(folder, { recursive: true });
  writeFileSync(cursorFile, since);
  if (days.length === 0) break;
}

/** Replaces a day. A day without rows has no file. */
function keep(kind: string, day: string, found: readonly unknown[]): void {
  const file = join(folder, kind, `${day}.json`);
  mkdirSync(join(folder, kind), { recursive: true });
  if (found.length > 0) writeFileSync(file, JSON.stringify(found));
  else rmSync(file, { force: true });
}
