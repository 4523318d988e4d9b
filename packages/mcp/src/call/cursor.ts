import type { Call } from './arguments.ts';
import type { ClientResponse } from '../client/client.ts';
import { Failure } from '../failure.ts';
import type { Tool } from '../tools/tool.ts';

/** Where a page begins, and the mark of the data of the page before. */
export interface Position {
  readonly start: number;
  /** Undefined on the first page. */
  readonly data: string | undefined;
}

/** A cursor for the page that begins at a row: the row's index, and marks of the call and of the data. */
export function makeCursor(tool: Tool, call: Call, data: string, start: number): string {
  return `${start}-${markOfCall(tool, call)}-${data}`;
}

/** Where a call begins. Throws if its cursor was made for another tool or other filters. */
export function openCursor(tool: Tool, call: Call): Position {
  if (call.cursor === undefined) return { start: 0, data: undefined };
  const parts = /^(\d{1,9})-(\w{7})-(\w{7})$/.exec(call.cursor);
  if (parts === null || parts[2] !== markOfCall(tool, call)) throw new Failure('stale_cursor');
  return { start: Number(parts[1]), data: parts[3] };
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
