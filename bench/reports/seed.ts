import { sql } from 'kysely';
import { fillRollups } from '../../packages/server/src/answers/rollups/fill-rollups.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { dayMs, utcDay } from '../../packages/server/src/values/time/utc-day.ts';
import { addSubject } from '../../packages/server/src/workspaces/write-subject.ts';
import { createWorkspace } from '../../packages/server/src/workspaces/workspaces.ts';

/** How much there is. */
export const size = { days: 180, prompts: 500, engines: 8, subjects: 11, hits: 1_000_000 };

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
export const clock = (): number => nowMs;

/** Rows are numbered; what is in them follows from their numbers, so that every run measures the same. */
const mixed = (number: string, factor: number, below: number) =>
  sql.raw(`(((${number}) * ${factor}) / 7 % 10007 % ${below})`);
const uuid = (kind: string, number: string) =>
  sql.raw(`printf('${kind}0000000-0000-5000-8000-%012d', ${number})`);

/** Fills a SQLite store: one run a day of each prompt and engine, and hits of 180 days. */
export async function seed(store: Store): Promise<string> {
  const { id } = await createWorkspace(store, {
    slug: 'bench',
    name: 'Bench',
    brand: { name: 'Acme' },
    clock,
  });
  for (let index = 1; index < size.subjects; index += 1) {
    await addSubject(store, id, { words: { name: `Rival ${index}` }, clock });
  }
  await store.writer.transaction().execute(async (transaction) => {
    const first = utcDay(nowMs - (size.days - 1) * dayMs);
    const runs = size.days * size.prompts * size.engines;
    const numbers = (count: number) =>
      sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${sql.lit(count)})`;
    const perDay = size.prompts * size.engines;
    await sql`insert into prompts (workspace_id, id, text, language, locale, active, created_at)
      ${numbers(size.prompts)} select ${id}, ${uuid('a', 'n')}, 'Question ' || n, 'en', 'en-US', 1, '2026-01-01T00:00:00.000Z' from numbers`.execute(
      transaction,
    );
    await sql`insert into runs (workspace_id, id, prompt_id, engine, run_at, outcome, branded, names_competitor, method)
      ${numbers(runs)} select ${id}, ${uuid('b', 'n')}, ${uuid('a', `n % ${size.prompts}`)},
        'engine' || (n / ${sql.lit(size.prompts)} % ${sql.lit(size.engines)}),
        date(${first}, '+' || (n / ${sql.lit(perDay)}) || ' days') || 'T06:00:00.000Z', 'answered', 0, 0, 'bench' from numbers`.execute(
      transaction,
    );
    await sql`insert into answers (workspace_id, run_id, asked, answer, sources, sites)
      ${numbers(runs)} select ${id}, ${uuid('b', 'n')}, 'Question', 'Answer',
        '[' || group_concat(printf('{"url":"https://www.site%d.com/page-%d"}', ${mixed('n * 5 + s', 31, 300)}, ${mixed('n * 5 + s', 31, 3000)})) || ']',
        '[' || group_concat(printf('"site%d.com"', ${mixed('n * 5 + s', 31, 300)})) || ']'
      from numbers join (select 0 as s union select 1 union select 2 union select 3) group by n`.execute(
      transaction,
    );
    await sql`insert into detections (workspace_id, id, run_id, subject_type, subject_id, cited, position, rank, url)
      ${numbers(runs)} select ${id}, ${uuid('c', `n * ${size.subjects} + place`)}, ${uuid('b', 'n')}, subject_type, subject_id,
        cited, case when cited then 5 end, case when cited then 1 + place % 3 end, null
      from (select n, place, subject_type, subject_id, ${mixed('n * 11 + place', 37, 10)} < 3 as cited
        from numbers join (select id as subject_id, subject_type, row_number() over (order by id) - 1 as place
          from subjects where workspace_id = ${id}))`.execute(transaction);
    await sql`insert into hits (workspace_id, id, bot_name, bot_company, category, path, method, status, verification, hit_at, host)
      ${numbers(size.hits)} select ${id}, ${uuid('d', 'n')}, 'Bot' || ${mixed('n', 41, 30)}, 'Company', 'crawler',
        '/blog/some-page-title-' || ${mixed('n', 43, 2000)}, 'GET', 200, 'verified',
        strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-05-25', '+' || (n * 15) || ' seconds'), 'www.acme.com' from numbers`.execute(
      transaction,
    );
    await transaction.deleteFrom('rollup_states').where('workspace_id', '=', id).execute();
  });
  await fillRollups(store);
  return id;
}
