import type { ToolRow } from './row.ts';

/** Narrowing by one argument that the tool does itself, on the rows that the API gave. */
export interface Filter<Field extends string = string> {
  readonly argument: string;
  readonly field: Field;
  readonly match: 'equals' | 'contains' | 'begins' | 'from' | 'to' | 'subject';
  /** Only what the argument's name and type leave open: each word is paid for in every conversation. */
  readonly description?: string;
}

/** The row's field is the value; letters are compared without their case. */
export function equals<Field extends string>(field: Field): Filter<Field> {
  return { argument: field, field, match: 'equals' };
}

/** The field is the id of a subject that is given by its id, name or alias. */
export function subject<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'subject', field, match: 'subject', description: 'name or id' };
}

/** Passes rows whose field is the value; the argument is called `argument`. */
export function called<Field extends string>(argument: string, field: Field): Filter<Field> {
  return { argument, field, match: 'equals', description: field };
}

/** The field contains the value, whatever the case. */
export function contains<Field extends string>(argument: string, field: Field): Filter<Field> {
  return { argument, field, match: 'contains', description: `part of ${field}` };
}

/** The field begins with exactly the value. */
export function begins<Field extends string>(argument: string, field: Field): Filter<Field> {
  return { argument, field, match: 'begins' };
}

/** The field, a date or time, is the value or later. */
export function since<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'since', field, match: 'from', description: 'UTC date or time' };
}

/** Passes rows whose field, a date or time, is the value or earlier. */
export function until<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'until', field, match: 'to', description: 'UTC date or time' };
}

/** Whether a row passes a filter. The value is in the form of the field already. */
export function passes({ field, match }: Filter, value: unknown, row: ToolRow): boolean {
  const own = row[field];
  if (typeof own !== 'string' || typeof value !== 'string') return own === value;
  if (match === 'equals' || match === 'subject') return own.toLowerCase() === value.toLowerCase();
  if (match === 'contains') return own.toLowerCase().includes(value.toLowerCase());
  if (match === 'begins') return own.startsWith(value);
  return match === 'from' ? own >= value : own <= value;
}
