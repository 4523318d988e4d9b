import { z } from 'zod';
import { neutralText } from '../text/neutral-text.ts';

/** A JSON Schema, 2020-12. */
export type JsonSchema = { [name: string]: z.core.util.JSONType };

/** The result of reading one argument: its value in our form, or the expected form. */
export type ArgumentResult =
  | { readonly value: string | number | boolean }
  | { readonly expected: string };

/** A kind of argument: how to describe it to a model, and how to read it. */
export interface ArgumentKind {
  readonly schema: JsonSchema;
  read(value: unknown): ArgumentResult;
}

/** One of the values of an enum, which are in lower case. Models also write capitals. */
export function enumKind(options: readonly string[]): ArgumentKind {
  return {
    schema: { type: 'string', enum: [...options] },
    read(value) {
      const text = String(value).trim().toLowerCase();
      const option = options.find((each) => each === text);
      return option === undefined
        ? { expected: `one of ${options.join(', ')}` }
        : { value: option };
    },
  };
}

/** True or false. Models also send them as text. */
export const truth: ArgumentKind = {
  schema: { type: 'boolean' },
  read(value) {
    const text = String(value).trim().toLowerCase();
    return ['true', 'false'].includes(text)
      ? { value: text === 'true' }
      : { expected: 'true or false' };
  },
};

/** An integer. Models also send `"5"` for 5. */
export function wholeNumber({ min, max }: { min: number; max: number }): ArgumentKind {
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    read(value) {
      const isText = typeof value === 'string' && /^\d{1,9}$/.test(value);
      const number = isText ? Number(value) : value;
      const isInRange =
        typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
      return isInRange ? { value: number } : { expected: `a whole number from ${min} to ${max}` };
    },
  };
}

/** A UUID, in either case. */
export const identifier: ArgumentKind = {
  schema: { type: 'string', format: 'uuid' },
  read(value) {
    const isUuid = typeof value === 'string' && z.guid().safeParse(value).success;
    return isUuid
      ? { value: value.toLowerCase() }
      : { expected: 'a UUID, copied whole from a row of another tool' };
  },
};

/**
 * Text that is not empty, because an empty filter would match everything. It is normalised like the
 * texts of rows: composed (NFC), and with invisible characters written as codes.
 */
export const words: ArgumentKind = {
  schema: { type: 'string' },
  read(value) {
    if (typeof value !== 'string') return { expected: 'text' };
    const text = neutralText(value.trim().normalize('NFC'));
    return text === ''
      ? { expected: 'text that is not empty; leave it out to get all' }
      : { value: text };
  },
};

/**
 * A date or time, converted to the form of a field of days or moments (UTC). `isLast` converts a
 * date to the last moment of its day instead of the first.
 */
export function moment({
  isDay,
  isLast = false,
}: {
  isDay: boolean;
  isLast?: boolean;
}): ArgumentKind {
  return {
    schema: { type: 'string' },
    read(value) {
      const text = typeof value === 'string' ? value.trim() : '';
      const isWritten =
        /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i.test(text);
      // A time without a zone would be read as this machine's local time.
      const milliseconds = isWritten ? Date.parse(isZoned(text) ? text : `${text}Z`) : Number.NaN;
      if (Number.isNaN(milliseconds) || rollsOver(text)) {
        return { expected: 'a UTC date or time such as 2026-11-20 or 2026-11-20T06:00:00Z' };
      }
      const instant = new Date(milliseconds).toISOString();
      // In UTC the year may have more than four digits, which would be compared wrongly as text.
      if (!/^\d{4}-/.test(instant)) return { expected: 'in a year from 0000 to 9999, in UTC' };
      const day = instant.slice(0, 10);
      if (isDay) return { value: day };
      return { value: isLast && text.length === 10 ? `${day}T23:59:59.999Z` : instant };
    },
  };
}

function isZoned(text: string): boolean {
  return text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
}

/** Whether a day does not exist: the platform reads 30 February as 2 March. */
function rollsOver(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(Date.parse(`${day}T00:00:00Z`)).toISOString().slice(0, 10) !== day;
}

/** A word of a certain form, such as a slug. Models also write names with capitals. */
function wordOf(field: z.ZodType): ArgumentKind {
  return {
    schema: words.schema,
    read(value) {
      const reading = words.read(value);
      if (!('value' in reading)) return reading;
      const text = String(reading.value);
      const fitting = [text, text.toLowerCase()].find((each) => field.safeParse(each).success);
      return fitting === undefined ? { expected: 'a word as in other rows' } : { value: fitting };
    },
  };
}

/** The kind of argument that fits a field of a row or a parameter of a query. */
export function kindOf(field: z.ZodType): ArgumentKind {
  const schema = z.toJSONSchema(withoutNull(field), { io: 'input' });
  if (schema.enum !== undefined) return enumKind(schema.enum.map(String));
  if (schema.type === 'boolean') return truth;
  if (schema.format === 'uuid') return identifier;
  if (schema.format === 'date') return moment({ isDay: true });
  if (schema.type === 'integer') return wholeNumber({ min: 0, max: 999_999_999 });
  if (schema.pattern !== undefined) return wordOf(field);
  return words;
}

/** Whether a field holds days rather than moments. */
export function holdsDays(field: z.ZodType): boolean {
  return z.toJSONSchema(withoutNull(field)).format === 'date';
}

function withoutNull(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) {
    const inner = field.unwrap();
    return inner instanceof z.ZodType ? inner : field;
  }
  return field;
}
