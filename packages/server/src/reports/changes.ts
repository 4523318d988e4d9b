import { changeKind, limits } from '@overheard/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { addDays } from '../values/time/utc-day.ts';
import type { ReportSource } from './report-source.ts';

/** The token of a workspace in which nothing was written yet. */
const noToken = 'nothing written';

/**
 * A cursor: the last write that the client knows of with its token, the day behind which the page
 * begins, and the UTC day on which the cursor was given. Strict, because PostgreSQL refuses a text
 * with a NUL.
 */
const cursorParts = z.tuple([
  z.int().min(0),
  z.literal(noToken).or(z.string().regex(/^[\w-]{16}$/)),
  z.tuple([z.int().min(0), changeKind.or(z.enum(['', '~'])), z.iso.date().or(z.literal(''))]),
  z.iso.date().or(z.literal('~')),
]);
type Cursor = z.infer<typeof cursorParts>;

/** No day is later than the last part: only a given cursor has such days. */
const beginning: Cursor = [0, noToken, [0, '', ''], '~'];

/**
 * Reads a page of the days that changed since a cursor, those last written last. Days of scores are
 * those that `scores` has, up to today: a later one is given on its day. `today` is the UTC day. Returns
 * why the cursor is refused if it is none, or if its data is gone.
 */
export async function readChanges(
  { db, workspaceId }: ReportSource,
  { since, today }: { since: string | undefined; today: string },
) {
  const cursor = since === undefined ? beginning : parseCursor(since);
  if (cursor === undefined) return 'malformed';
  const [known, token, [afterNumber, afterKind, afterDate], givenOn] = cursor;
  const numbers = db
    .selectFrom('change_numbers')
    .select(['number', 'token'])
    .where('workspace_id', '=', workspaceId);
  const isKnown =
    known === 0 || (await numbers.where('number', '=', known).executeTakeFirst())?.token === token;
  if (!isKnown) return 'cursor_too_old';
  // Read the last number before the days: a write in between is given again to the next call.
  const last = await numbers.orderBy('number', 'desc').limit(1).executeTakeFirst();
  const firstScoreDay = addDays(today, 1 - limits.scoresDays);
  const days = await db
    .selectFrom('change_days')
    .select(['number', 'kind', 'date'])
    .where('workspace_id', '=', workspaceId)
    .where(({ and, eb, not, or }) => {
      const isScore = eb('kind', '=', 'scores');
      return and([
        or([
          sql<boolean>`(number, kind, date) > (${afterNumber}, ${afterKind}, ${afterDate})`,
          and([isScore, eb('date', '>', givenOn)]),
        ]),
        or([not(isScore), eb.between('date', firstScoreDay, today)]),
      ]);
    })
    .orderBy('number')
    .orderBy('kind')
    .orderBy('date')
    .limit(limits.reportRowsMax)
    .execute();
  const end = days.length < limits.reportRowsMax ? undefined : days.at(-1);
  const number = last?.number ?? 0;
  const place: Cursor[2] = end === undefined ? [number, '~', ''] : [end.number, end.kind, end.date];
  const cursorTo: Cursor = [number, last?.token ?? noToken, place, today];
  return {
    rows: days.map(({ kind, date }) => ({ kind, date })),
    next: Buffer.from(JSON.stringify(cursorTo)).toString('base64url'),
  };
}

function parseCursor(text: string): Cursor | undefined {
  try {
    return cursorParts.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
