/** SQLSTATE of PostgreSQL; SQLite's codes of a unique index and of a primary key. */
const codes: ReadonlySet<unknown> = new Set(['23505', 2067, 1555]);

/** Whether a write failed because another row has its unique value already. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && codes.has(error.code)) || ('errcode' in error && codes.has(error.errcode))
  );
}
