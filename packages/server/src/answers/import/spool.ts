import { z } from 'zod';
import { openSpoolFile } from '../../storage/staging/spool-file.ts';
import { outcomes } from '../../values/outcome.ts';
import type { Answer } from './answer.ts';
import { spoolPrompts } from './spooled-prompts.ts';
import type { SpooledPrompts } from './spooled-prompts.ts';

/** An answer that waits for the transaction. */
export interface SpooledAnswer {
  /** Line of the file at which it begins. */
  readonly line: number;
  readonly answer: Answer;
}

/** A place outside of the database where a file waits until all of it has been checked. */
export interface AnswerSpool {
  /**
   * Adds an answer, unless there is one of the same run: that one is returned instead, and learns
   * what was asked where only the later row tells it.
   */
  add(answer: SpooledAnswer): SpooledAnswer | undefined;
  /** Whether a row of the file is of this run. */
  has(runId: string): boolean;
  /** The line of the row of this run, if the file has one. */
  lineOf(runId: string): number | undefined;
  /** All answers by run id, in batches of at most `rowsMax`: so the indexes that they go into are walked, not jumped about in. */
  batches(rowsMax: number): Generator<SpooledAnswer[]>;
  readonly prompts: Pick<SpooledPrompts, 'batches'>;
  close(): void;
}

/** Text of one batch, at most, unless one answer is longer: answers may have megabytes. */
const batchLengthMax = 1024 * 1024;

/** Opens a spool; it is gone with the process. */
export function openAnswerSpool(): AnswerSpool {
  const file = openSpoolFile({ cacheKiB: 16_384 });
  file.execute(`
    create table answers (
      id text not null unique, line integer not null, row text not null
    )`);
  const prompts = spoolPrompts(file);
  const insert = file.prepare(
    'insert into answers (id, line, row) values (?, ?, ?) on conflict do nothing',
  );
  const find = file.prepare('select line, row from answers where id = ?');
  const replace = file.prepare('update answers set row = ? where id = ?');
  const select = file.prepare('select line, row from answers order by id');
  return {
    add,
    has: (runId) => find.get(runId) !== undefined,
    lineOf: (runId) => {
      const record = find.get(runId);
      return record === undefined ? undefined : Number(record['line']);
    },
    batches,
    prompts,
    close: file.close,
  };

  function add({ line, answer }: SpooledAnswer): SpooledAnswer | undefined {
    prompts.add(answer, line);
    const { changes } = insert.run(answer.id, line, JSON.stringify(answer));
    if (changes === 1) return undefined;
    const earlier = toSpooled(find.get(answer.id));
    if (earlier.answer.prompt === undefined && answer.prompt !== undefined) {
      replace.run(JSON.stringify({ ...earlier.answer, prompt: answer.prompt }), answer.id);
    }
    return earlier;
  }

  function* batches(rowsMax: number): Generator<SpooledAnswer[]> {
    let batch: SpooledAnswer[] = [];
    let length = 0;
    for (const record of select.iterate()) {
      const spooled = toSpooled(record);
      batch.push(spooled);
      length += spooled.answer.answer.length;
      if (batch.length < rowsMax && length < batchLengthMax) continue;
      yield batch;
      batch = [];
      length = 0;
    }
    if (batch.length > 0) yield batch;
  }
}

const stored = z.object({
  id: z.string(),
  promptId: z.string(),
  prompt: z.object({ text: z.string(), language: z.string(), locale: z.string() }).optional(),
  engine: z.string(),
  model: z.string().nullable(),
  runAt: z.string(),
  isDayAlone: z.boolean(),
  outcome: z.enum(outcomes),
  answer: z.string(),
  sources: z.array(z.object({ url: z.string(), title: z.string().optional() })),
});

function toSpooled(record: Record<string, unknown> | undefined): SpooledAnswer {
  const { prompt, ...answer } = stored.parse(JSON.parse(String(record?.['row'])));
  return { line: Number(record?.['line']), answer: { ...answer, prompt } };
}
