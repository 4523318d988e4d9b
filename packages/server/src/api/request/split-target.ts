/**
 * Splits a target. Servers must accept the absolute form (RFC 9112, 3.2.2), of which only the path
 * counts.
 */
export function splitTarget(target: string): Target {
  const absolute = target.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(target);
  const authority = absolute?.[1];
  const path = target.slice(absolute?.[0].length ?? 0);
  const query = path.indexOf('?');
  return query === -1
    ? { authority, path, search: '' }
    : { authority, path: path.slice(0, query), search: path.slice(query + 1) };
}

/** A request target in its parts, as they were sent. */
interface Target {
  /** The host and port of the absolute form; undefined for a target without them. */
  readonly authority: string | undefined;
  readonly path: string;
  /** The text after `?`; empty if there is none. */
  readonly search: string;
}
