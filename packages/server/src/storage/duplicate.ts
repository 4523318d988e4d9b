/** PostgreSQL's SQLSTATE, and SQLite's codes for a unique index and for a primary key. */
const codes: ReadonlySet<unknown> = new Set(['23505', 2067, 1555]);

/** Whether a write failed because another row already has the unique value. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && codes.has(error.code)) || ('errcode' in error && codes.has(error.errcode))
  );
}

/** Waits for a write. Undefined if another row already has the unique value, as when a form is sent twice. */
export async function unlessDuplicate<Result>(write: Promise<Result>): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}
