import type { Call } from './arguments.ts';
import type { ClientResponse } from '../read/client.ts';
import { Failure } from '../failure.ts';
import type { Tool } from '../tools/tool.ts';

/** Where a page begins, and the mark of the data of the page before. */
export interface Position {
  readonly start: number;
  /** Undefined on the first page. */
  readonly data: string | undefined;
  /** The cursor of the API's page, undefined for its first. */
  readonly next: string | undefined;
}

/**
 * A cursor for the page that begins at a row: the row's index, marks of the call and of the data,
 * and the cursor of the API's page.
 */
export function makeCursor(
  tool: Tool,
  call: Call,
  { start, data = unknownData, next }: Position,
): string {
  return [start, markOfCall(tool, call), data, ...(next === undefined ? [] : [next])].join('-');
}

/** The mark of a page of the API that has not been read. */
const unknownData = '0000000';

/** Where a call begins. Throws if its cursor was made for another tool or other filters. */
export function openCursor(tool: Tool, call: Call): Position {
  if (call.cursor === undefined) return { start: 0, data: undefined, next: undefined };
  const parts = /^(\d{1,9})-(\w{7})-(\w{7})(?:-([\w-]{1,400}))?$/.exec(call.cursor);
  if (parts === null || parts[2] !== markOfCall(tool, call)) throw new Failure('stale_cursor');
  const data = parts[3] === unknownData ? undefined : parts[3];
  return { start: Number(parts[1]), data, next: parts[4] };
}

/**
 * A mark that changes with the data: a hash of the entity tag or, if a proxy has removed that, of
 * the rows.
 */
export function markOfData({ etag, rows }: ClientResponse): string {
  return mark(etag ?? JSON.stringify(rows));
}

/** Leaves out the limit, because the next page may have another length. */
function markOfCall(tool: Tool, { query, filters, isAsRuns }: Call): string {
  const narrowing = filters.map(({ filter, value }): [string, unknown] => [filter.argument, value]);
  narrowing.sort(([a], [b]) => (a < b ? -1 : 1));
  return mark(JSON.stringify([tool.name, query, narrowing, isAsRuns]));
}

/** FNV-1a, 32 bits: it distinguishes the calls of one conversation, and need not be secure. */
function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(7, '0');
}
