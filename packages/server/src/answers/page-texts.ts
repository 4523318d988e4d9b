import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import { countedText } from '../values/counted-range.ts';
import { contentId } from '../values/uuid.ts';
import { findCountedRange } from './detection/furniture.ts';
import type { PageText } from './detection/furniture.ts';
import { findSharedText, textPlaces } from './detection/shared-text.ts';
import { z } from 'zod';
import type { SharedText, TextPlace } from './detection/shared-text.ts';
import { readLatestAnswered } from './read-stored-runs.ts';

/** A shared text of one engine's answers. */
export interface EngineText extends SharedText {
  readonly engine: string;
}

/** Texts of pages that no longer count, or that count again. */
export interface TextChange {
  readonly engine: string;
  /** Undefined counts all of the engine's texts again. */
  readonly place: TextPlace | undefined;
  /** The id of the text that a person saw. Another text that answers share stays. */
  readonly id?: string | undefined;
}

const quoteMax = 300;

/** A shared text as a person reads it. */
export const sharedTextNote = z.object({
  engine: z.string(),
  place: z.enum(textPlaces),
  id: z.string(),
  quote: z.string(),
  answers: z.number(),
  of: z.number(),
});

export type SharedTextNote = z.infer<typeof sharedTextNote>;

/** Shortens a shared text for a page. */
export function noteOfText({ engine, place, text, answers, of }: EngineText): SharedTextNote {
  const isLong = text.length > quoteMax;
  const cut = place === 'head' ? `${text.slice(0, quoteMax)}…` : `…${text.slice(-quoteMax)}`;
  const quote = (isLong ? cut : text).toWellFormed();
  return { engine, place, id: idOfText({ engine, place, text }), quote, answers, of };
}

function idOfText({ engine, place, text }: PageText): string {
  return contentId('page text', [engine, place, text]);
}

/** The most recent answers of an engine that are compared. */
const answersMax = 500;

/** Reads the texts that a person has taken off the count. */
export async function readPageTexts(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<PageText[]> {
  return db
    .selectFrom('page_texts')
    .select(['engine', 'place', 'text'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
}

/** Names the heads and tails that more than half of an engine's counted texts share. Changes nothing. */
export async function nameSharedTexts(
  db: Kysely<DataTables>,
  workspaceId: string,
  engines: readonly string[],
): Promise<EngineText[]> {
  const rules = await readPageTexts(db, workspaceId);
  const named: EngineText[] = [];
  for (const engine of engines) {
    const texts: string[] = [];
    for await (const runs of readLatestAnswered(db, workspaceId, { engine, runsMax: answersMax })) {
      for (const { answer } of runs) {
        texts.push(countedText({ answer, ...findCountedRange(engine, answer, rules) }));
      }
    }
    for (const place of ['head', 'tail'] as const) {
      const shared = findSharedText(texts, place);
      if (shared !== undefined) named.push({ engine, ...shared });
    }
  }
  return named;
}

/** Stores the shared texts as rules, or removes an engine's rules. Returns what was stored. */
export async function changePageTexts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly TextChange[],
): Promise<{ hasChanged: boolean; stripped: readonly EngineText[] }> {
  const stripped: EngineText[] = [];
  let removed = 0n;
  for (const { engine, place, id } of changes) {
    if (place === undefined) {
      const { numDeletedRows } = await transaction
        .deleteFrom('page_texts')
        .where('workspace_id', '=', workspaceId)
        .where('engine', '=', engine)
        .executeTakeFirstOrThrow();
      removed += numDeletedRows;
      continue;
    }
    const named = await nameSharedTexts(transaction, workspaceId, [engine]);
    stripped.push(
      ...named.filter(
        (each) => each.place === place && (id === undefined || idOfText(each) === id),
      ),
    );
  }
  for (const { engine, place, text } of stripped) {
    const id = idOfText({ engine, place, text });
    await transaction
      .insertInto('page_texts')
      .values({ workspace_id: workspaceId, id, engine, place, text })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .execute();
  }
  return { hasChanged: stripped.length > 0 || removed > 0n, stripped };
}
