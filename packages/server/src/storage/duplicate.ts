/** PostgreSQL's SQLSTATE, and SQLite's codes for a unique index and for a primary key. */
const codes: ReadonlySet<unknown> = new Set(['23505', 2067, 1555]);

/** Whether a write failed because another row already has the unique value. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && codes.has(error.code)) || ('errcode' in error && codes.has(error.errcode))
  );
}
