import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { pad } from '../storage/chunks.ts';
import type { DataTables } from '../storage/schema.ts';
import { amount } from '../values/plural.ts';
import { promptId } from '../values/uuid.ts';
import { createJudge, readSubjects } from './subjects.ts';

/** Most prompts that can be pasted at once. */
export const pastedMax = 1000;
/**
 * The longest prompt in characters. Engines accept more, but a longer line is a paragraph pasted by
 * mistake.
 */
export const promptLengthMax = 2000;

/** A pasted line whose prompt is not tracked yet. */
export interface PastedLine {
  /** Counts from 1; empty lines count. */
  readonly line: number;
  readonly text: string;
  readonly id: string;
  readonly isBranded: boolean;
  readonly namesCompetitor: boolean;
}

/** The locale and language of the prompts, both in canonical form. */
export interface Place {
  readonly language: string;
  readonly locale: string;
}

/**
 * Reads a pasted text with one prompt per line and returns the prompts that it would add. Changes
 * nothing.
 */
export async function previewPaste(
  db: Kysely<DataTables>,
  workspaceId: string,
  { pasted, language, locale }: Place & { readonly pasted: string },
) {
  const { valid, invalid } = readLines(pasted);
  const firstOf = new Map<string, number>();
  const repeated: Array<{ line: number; first: number }> = [];
  const once = valid
    .map(({ line, text }) => ({ line, text, id: promptId({ text, language, locale }) }))
    .filter(({ line, id }) => {
      const first = firstOf.get(id);
      if (first === undefined) firstOf.set(id, line);
      else repeated.push({ line, first });
      return first === undefined;
    });
  const stored = await readStoredIds(
    db,
    workspaceId,
    once.map(({ id }) => id),
  );
  const judge = createJudge(await readSubjects(db, workspaceId));
  const fresh: PastedLine[] = [];
  for (const [index, prompt] of once.filter(({ id }) => !stored.has(id)).entries()) {
    // Pause between judgements, each of which takes a tenth of a millisecond.
    if (index % 50 === 49) await setImmediate();
    fresh.push({ ...prompt, ...judge.judgePrompt({ asked: prompt.text, language }) });
  }
  const tracked = once.flatMap(({ id, line }) => (stored.has(id) ? [line] : []));
  // `tracked` are lines whose prompt the workspace has, `repeated` those that repeat an earlier one.
  return { fresh, tracked, repeated, invalid };
}

/** The locale of most prompts; undefined without prompts. */
export async function readUsualLocale(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<string | undefined> {
  const usual = await db
    .selectFrom('prompts')
    .select('locale')
    .where('workspace_id', '=', workspaceId)
    .groupBy('locale')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('locale')
    .limit(1)
    .executeTakeFirst();
  return usual?.locale;
}

function readLines(pasted: string) {
  const valid: Array<{ line: number; text: string }> = [];
  const invalid: Array<{ line: number; fault: string }> = [];
  for (const [index, raw] of pasted.split(/\r\n|\n|\r/).entries()) {
    const [line, text] = [index + 1, raw.replace(/^\ufeff/, '').trim()];
    if (text === '') continue;
    const fault = faultOf(text) ?? (valid.length < pastedMax ? undefined : tooMany);
    if (fault === undefined) valid.push({ line, text });
    else invalid.push({ line, fault });
  }
  return { valid, invalid };
}

const tooMany = `At most ${amount(pastedMax, 'prompt')} can be added at once.`;

function faultOf(text: string): string | undefined {
  if (text.length > promptLengthMax) return `It is longer than ${promptLengthMax} characters.`;
  if (text.includes('\t')) return 'It has a tab. Paste only one column of the spreadsheet.';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'It has a control character.';
  if (/[\p{Cs}\ufffd]/u.test(text)) return 'It has a character that could not be read.';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'It has no letter.';
}

async function readStoredIds(
  db: Kysely<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('prompts')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
