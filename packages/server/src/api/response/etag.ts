/**
 * A weak tag of one state of an answer. It changes with the contract, the data's revision, the
 * query, and at midnight UTC where the answer does. Every part is ours and free of quotes.
 */
export function entityTag(parts: {
  contract: string;
  revision: string;
  query: Readonly<Record<string, unknown>>;
  today: string | undefined;
}): string {
  const query = Object.entries(parts.query).map(([name, value]) => `${name}=${String(value)}`);
  return `W/"${[parts.contract, parts.revision, parts.today ?? '', ...query].join('.')}"`;
}

/** Whether an `If-None-Match` header names a tag, compared weakly (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(opaque);
}
