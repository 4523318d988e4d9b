/** A request target in two parts, as they were sent. */
export interface Target {
  readonly path: string;
  /** What stands behind `?`; empty where nothing does. */
  readonly search: string;
}

/** Splits a target; of the absolute form, which servers must take (RFC 9112, 3.2.2), the path counts. */
export function splitTarget(target: string): Target {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const query = path.indexOf('?');
  return query === -1
    ? { path, search: '' }
    : { path: path.slice(0, query), search: path.slice(query + 1) };
}
