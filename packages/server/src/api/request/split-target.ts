/**
 * Splits a target. Servers must accept the absolute form (RFC 9112, 3.2.2), of which only the path
 * counts.
 */
export function splitTarget(target: string) {
  const absolute = target.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(target);
  /** The host and port of the absolute form; undefined for a target without them. */
  const authority = absolute?.[1];
  const path = target.slice(absolute?.[0].length ?? 0);
  const query = path.indexOf('?');
  return query === -1
    ? { authority, path, search: '' }
    : { authority, path: path.slice(0, query), search: path.slice(query + 1) };
}
