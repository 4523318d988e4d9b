import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { keyPattern } from '@overheard/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectHost } from './connect.ts';
import { questions } from './questions.ts';
import type { Period } from './questions.ts';

const overheard = fileURLToPath(new URL('../../server/bin/overheard.js', import.meta.url));
const callsMax = 3;
const rightMin = 23;

const folder = mkdtempSync(join(tmpdir(), 'overheard-questions-'));
let demo: ChildProcess;
let host: Awaited<ReturnType<typeof connectHost>>;
let db: DatabaseSync;

beforeAll(async () => {
  demo = spawn(process.execPath, [overheard, 'demo', '--port', '0'], {
    env: { PATH: '/usr/bin:/bin', TMPDIR: folder },
  });
  const said = await new Promise<string>((resolve) => {
    let text = '';
    demo.stderr?.on('data', (part) => {
      text += String(part);
      if (/The key: .+\n/.test(text)) resolve(text);
    });
  });
  const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? '';
  host = await connectHost({ url, apiKey: keyPattern.exec(said)?.[0] });
  db = new DatabaseSync(globSync(`${folder}/**/demo.db`)[0] ?? '', { readOnly: true });
});
afterAll(async () => {
  await host.close();
  db.close();
  demo.kill();
  if (demo.exitCode === null) await once(demo, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

test('the usual questions are answered right with at most three calls each, and none is answered wrong', async () => {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const period: Period = { start: day(27), before: day(55), today: day(0) };
  const [lost] = all(
    `select prompt_id from runs where outcome = 'answered' and branded = 0 and run_at >= :start and id not in (select run_id from detections where subject_type = 'brand' and cited = 1) and id in (select run_id from detections where cited = 1) group by 1 order by count(*) desc, 1 limit 1`,
    period,
  );
  const wrong: unknown[] = [];
  const list = questions(period, String(lost));
  for (const { asked, truth, answer } of list) {
    let calls = 0;
    const given = await answer(async (tool, args = {}) => {
      calls += 1;
      const { rows, isError, text } = await host.call(tool, args);
      expect(isError, `${asked} ${text}`).toBe(false);
      return rows;
    });
    expect(calls, asked).toBeLessThanOrEqual(callsMax);
    const expected = all(truth, period);
    if (JSON.stringify(given) !== JSON.stringify(expected)) wrong.push({ asked, given, expected });
  }
  expect(wrong).toEqual([]);
  expect(list.length).toBeGreaterThanOrEqual(rightMin);
});

/** The values of all rows, one after another. */
function all(sql: string, period: Period): unknown[] {
  const named = Object.entries(period).filter(([name]) => sql.includes(`:${name}`));
  const rows = db.prepare(sql).all(Object.fromEntries(named));
  return rows.flatMap((row) => Object.values(row));
}
