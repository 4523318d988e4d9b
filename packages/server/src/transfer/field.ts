import { z } from 'zod';
import { parseDay, parseMoment } from '../values/time/moment.ts';
import type { Scalar } from '../storage/cells.ts';
import type { Resource } from './resource.ts';

/** How one field is read, derived from its schema in the contract. */
export interface Field {
  readonly name: string;
  /** What the field should have, worded as the end of "expected ...". */
  readonly expected: string;
  readonly isRequired: boolean;
  readonly isBoolean: boolean;
  readonly isNumber: boolean;
  /** Converts a cell of CSV. Returns the text itself if it is not a valid value. */
  readonly fromText: (text: string, row: { readonly hasDecimalComma: boolean }) => Scalar;
  /** Brings text into its normal form. */
  readonly normalise: ((text: string) => string) | undefined;
  /** Brings a number into its normal form, after its range is checked. */
  readonly round: ((value: number) => number) | undefined;
}

/** The field's schema, as JSON Schema. */
const description = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
type Description = z.infer<typeof description>;

const described = z.object({
  ...description.shape,
  anyOf: z.array(description).optional(),
  examples: z.array(z.unknown()).optional(),
});

/** The fields of a row, in its order; `special` has the normal forms that a schema does not define. */
export function fieldsOf(row: z.ZodObject, special: Resource['normalForms'] = {}): Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(row);
  return row.keyof().options.map((name) => {
    const { anyOf = [], examples = [], ...ownSchema } = described.parse(properties[name]);
    const value = anyOf.find(({ type }) => type !== 'null') ?? ownSchema;
    const isNullable = anyOf.some(({ type }) => type === 'null');
    const example = examples.find((one) => one !== null);
    return {
      name,
      expected: special[name]?.expected ?? expectation(value, { isNullable, example }),
      isRequired: required.includes(name),
      isBoolean: value.type === 'boolean',
      isNumber: value.type === 'number' || value.type === 'integer',
      fromText: fromText(value),
      normalise: special[name]?.normalise ?? normalForm(value),
      round: roundingOf(value),
    };
  });
}

function expectation(
  { type, format, enum: options, pattern, minimum = 0, maximum }: Description,
  { isNullable, example }: { isNullable: boolean; example: unknown },
): string {
  const orNull = isNullable ? ', or null' : '';
  const range = isBounded(maximum)
    ? `from ${minimum} to ${maximum}`
    : `of ${minimum} or more, below 2^53`;
  if (options !== undefined) return `one of ${options.join(', ')}${orNull}`;
  if (type === 'boolean') return `true or false${orNull}`;
  if (type === 'integer') return `a whole number ${range}${orNull}`;
  if (type === 'number') return `a number ${range}${orNull}`;
  if (format === 'uuid') return `a UUID such as ${String(example)}${orNull}`;
  if (format === 'date') return `a day of the calendar such as ${String(example)}${orNull}`;
  if (format === 'date-time') return `a moment with its zone such as ${String(example)}${orNull}`;
  if (pattern === undefined) return `text that is not empty${orNull}`;
  return `text of the form ${pattern} such as ${String(example)}${orNull}`;
}

function isBounded(maximum: number | undefined): boolean {
  return maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A number with a decimal comma, as in most of Europe. */
export const decimalComma = /^(-?\d+),(\d+(?:[eE][+-]?\d+)?)$/;

/**
 * Converts text by type. Spreadsheets write TRUE, and databases 1. Numbers have no spaces and no
 * separators of thousands.
 */
function fromText({ type }: Description): Field['fromText'] {
  if (type === 'boolean') {
    return (text) => booleans.get(text.toLowerCase()) ?? text;
  }
  if (type === 'integer' || type === 'number') {
    return (text, { hasDecimalComma }) => {
      const numeral = hasDecimalComma ? text.replace(decimalComma, '$1.$2') : text;
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(numeral) ? Number(numeral) : text;
    };
  }
  return (text) => text;
}

function normalForm({ format }: Description): Field['normalise'] {
  if (format === 'uuid') return (text) => text.toLowerCase();
  // Leave empty text to the schema, which refuses it and names the field.
  if (format === 'date-time') return (text) => parseMoment(text) ?? '';
  if (format === 'date') return (text) => parseDay(text) ?? '';
  return undefined;
}

/** Shares have four decimals. Adding 0 turns -0 into 0. */
function roundingOf({ type, maximum }: Description): Field['round'] {
  if (type === 'number' && maximum === 1) return (value) => Math.round(value * 10_000) / 10_000 + 0;
  return type === 'number' || type === 'integer' ? (value) => value + 0 : undefined;
}
