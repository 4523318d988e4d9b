import { sql } from 'kysely';
import { packText } from '../packed-text.ts';
import type { Migration } from './migration.ts';

const rowsAtOnce = 500;

/** Long texts of answers are packed in an embedded database. */
export const packedAnswers: Migration = {
  name: 'packed answers',
  up: async (db, dialect) => {
    if (dialect === 'postgres') return;
    let last = 0;
    for (;;) {
      const { rows } = await sql<{ id: number; answer: string; sources: string }>`
        select rowid as id, answer, sources from answers
        where rowid > ${last} order by rowid limit ${rowsAtOnce}`.execute(db);
      for (const { id, ...texts } of rows) {
        const [answer, sources] = [packText(texts.answer), packText(texts.sources)];
        if (answer === texts.answer && sources === texts.sources) continue;
        await sql`update answers set answer = ${answer}, sources = ${sources} where rowid = ${id}`.execute(
          db,
        );
      }
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  },
};
