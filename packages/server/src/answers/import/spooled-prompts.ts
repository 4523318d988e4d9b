import { z } from 'zod';
import type { SpoolFile } from '../../storage/staging/spool-file.ts';
import type { Answer, AnswerPrompt } from './answer.ts';

/** What a file says about one prompt, whatever the order of its rows. */
export interface SpooledPrompt {
  readonly id: string;
  /** The moment of its earliest run. */
  readonly firstAt: string;
  /** As it was last asked; undefined where no row tells. */
  readonly last: LastAsked | undefined;
  /** Line of the first row that only names it. */
  readonly line: number | undefined;
}

/** A prompt as it was last asked, and when. */
export interface LastAsked extends AnswerPrompt {
  readonly runAt: string;
}

/** The prompts of a spooled file. */
export interface SpooledPrompts {
  add(answer: Answer, line: number): void;
  /** All of them by id, in batches. */
  batches(rowsMax: number): Generator<SpooledPrompt[]>;
}

/** Makes the table of prompts in a spool. */
export function spoolPrompts(file: SpoolFile): SpooledPrompts {
  file.execute(`
    create table prompts (
      id text primary key, first_at text not null, line integer,
      last_at text, text text, language text, locale text
    ) without rowid`);
  const note = file.prepare(`
    insert into prompts (id, first_at, line) values (?, ?, ?) on conflict (id) do update set
    first_at = min(first_at, excluded.first_at), line = coalesce(line, excluded.line)`);
  // Of several texts at one moment any will do, as long as it is always the same.
  const ask = file.prepare(`
    update prompts set last_at = ?1, text = ?2, language = ?3, locale = ?4
    where id = ?5 and (last_at is null or last_at < ?1 or
    last_at = ?1 and (text, language, locale) > (?2, ?3, ?4))`);
  const select = file.prepare('select * from prompts order by id');
  return { add, batches };

  function add({ promptId, prompt, runAt }: Answer, line: number): void {
    note.run(promptId, runAt, prompt === undefined ? line : null);
    if (prompt === undefined) return;
    ask.run(runAt, prompt.text, prompt.language, prompt.locale, promptId);
  }

  function* batches(rowsMax: number): Generator<SpooledPrompt[]> {
    let batch: SpooledPrompt[] = [];
    for (const record of select.iterate()) {
      batch.push(toPrompt(record));
      if (batch.length < rowsMax) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

const text = z.string();
const named = z.object({ id: text, first_at: text, line: z.int().nullable() });
const stored = z.union([
  named.extend({ last_at: z.null() }),
  named.extend({ last_at: text, text, language: text, locale: text }),
]);

function toPrompt(record: unknown): SpooledPrompt {
  const row = stored.parse(record);
  const { id, first_at: firstAt, line } = row;
  const shared = { id, firstAt, line: line ?? undefined };
  if (row.last_at === null) return { ...shared, last: undefined };
  const { text: asked, language, locale, last_at: runAt } = row;
  return { ...shared, last: { text: asked, language, locale, runAt } };
}
