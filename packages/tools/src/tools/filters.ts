import type { ToolRow } from './tool-row.ts';

/** A filter by one argument that the tool applies itself to the rows of the API. */
export interface Filter<Field extends string = string> {
  readonly argument: string;
  readonly field: Field;
  /** Other fields in which the value may be found instead. */
  readonly otherFields?: readonly Field[];
  /**
   * The value of `by` whose rows have the field. It is sent if the call has no `by`, and `byIf`
   * fits the value.
   */
  readonly by?: string;
  readonly byIf?: RegExp;
  readonly match: 'equals' | 'contains' | 'begins' | 'from' | 'to' | 'subject';
  /**
   * Only what the argument's name and type do not show, because each word costs tokens in every
   * conversation.
   */
  readonly description?: string;
}

/** Matches rows whose field equals the value, in any case. */
export function equals<Field extends string>(field: Field): Filter<Field> {
  return { argument: field, field, match: 'equals' };
}

/** Matches rows whose field is the id of the subject that is given by its id, name or alias. */
export function subject<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'subject', field, match: 'subject', description: 'name or id' };
}

/** Matches rows whose field equals the value. The argument has the name `argument`. */
export function equalsAs<Field extends string>(argument: string, field: Field): Filter<Field> {
  return { argument, field, match: 'equals', description: field };
}

/** Matches rows with the value in one of these fields, in any case. */
export function contains<Field extends string>(
  argument: string,
  field: Field,
  ...otherFields: readonly Field[]
): Filter<Field> {
  const description = `part of ${[field, ...otherFields].join(' or ')}`;
  return { argument, field, otherFields, match: 'contains', description };
}

/** Matches rows whose field begins with exactly the value. */
export function begins<Field extends string>(argument: string, field: Field): Filter<Field> {
  return { argument, field, match: 'begins' };
}

/** Matches rows whose field, a date or time, is the value or later. */
export function since<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'since', field, match: 'from', description: 'UTC date or time' };
}

/** Matches rows whose field, a date or time, is the value or earlier. A day is included whole. */
export function until<Field extends string>(field: Field): Filter<Field> {
  return { argument: 'until', field, match: 'to', description: 'UTC date or time' };
}

/** Whether a call chooses days, so that the API gives all of their rows, in pages. */
export function isOfDays(argumentNames: ReadonlySet<string>): boolean {
  return argumentNames.has('since') || argumentNames.has('until');
}

/** Whether a row matches a filter. The value is already in the form of the field. */
export function passes(
  { field, otherFields = [], match }: Filter,
  value: unknown,
  row: ToolRow,
): boolean {
  return [field, ...otherFields].some((each) => matches(match, value, row[each]));
}

function matches(match: Filter['match'], value: unknown, cell: unknown): boolean {
  if (typeof cell !== 'string' || typeof value !== 'string') return cell === value;
  if (match === 'equals' || match === 'subject') return cell.toLowerCase() === value.toLowerCase();
  if (match === 'contains') return cell.toLowerCase().includes(value.toLowerCase());
  if (match === 'begins') return cell.startsWith(value);
  return match === 'from' ? cell >= value : cell <= value;
}
