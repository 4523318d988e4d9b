/** The system's name for a failure, such as `ENOENT`; empty if the error has none. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** Describes a system error on a file, as the end of a sentence. */
export function errnoWords(errno: string): string {
  if (errno === 'ENOENT') return 'there is no such file';
  if (errno === 'EEXIST') return 'it exists already';
  if (errno === 'EACCES' || errno === 'EPERM') return 'it is not permitted';
  return errno === '' ? 'the system reported an error' : `the system reported ${errno}`;
}
