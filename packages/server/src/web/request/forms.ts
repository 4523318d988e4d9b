import { z } from 'zod';
import { nearest } from '@overheard/contract';
import type { Content } from '../markup/html.ts';
import { unreadableForm } from './page-fault.ts';

/** What was typed, by field. */
export type TypedFields = Readonly<Record<string, string>>;

/** The fault of each field, in words. */
export type FieldFaults = Readonly<Record<string, string>>;

/** A form with the typed text and its faults. */
export interface FormState {
  readonly typed: TypedFields;
  readonly faults: FieldFaults;
}

/** The page of a form after it was sent, and the status of the response. */
export interface FormOutcome {
  readonly form?: FormState;
  readonly notice?: Content;
  readonly status?: number;
}

export const emptyForm: FormState = { typed: {}, faults: {} };

const bodySchema = z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullish();

/**
 * Reads the fields of a sent form, each of which may occur once. Missing fields are empty. Throws a
 * `PageFault` for a field that the form doesn't have, and for NUL, which PostgreSQL refuses.
 */
export function readForm<Field extends string>(
  body: unknown,
  fields: readonly Field[],
): Readonly<Record<Field, string>> {
  const sentFields = bodySchema.safeParse(body).data ?? {};
  for (const [name, value] of Object.entries(sentFields)) {
    const isField = fields.some((field) => field === name);
    if (isField && typeof value === 'string') {
      if (!value.includes('\0')) continue;
      const words = `The field "${name}" has an invalid character. Open the page again.`;
      throw unreadableForm(words);
    }
    const meant = isField ? undefined : nearest(name.slice(0, 100), fields);
    const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw unreadableForm(
      isField
        ? `The field "${name}" was sent more than once. Open the page again.`
        : `The form has no field "${name.slice(0, 100)}".${advice} Open the page again.`,
    );
  }
  const read = Object.fromEntries(fields.map((field) => [field, String(sentFields[field] ?? '')]));
  if (hasEach(read, fields)) return read;
  throw new Error('A field was not read');
}

function hasEach<Field extends string>(
  read: Readonly<Record<string, string>>,
  fields: readonly Field[],
): read is Record<Field, string> {
  return fields.every((field) => field in read);
}

/** Like `readForm`, for a form with one field that may occur several times, such as checkboxes. */
export function readListForm<Field extends string>(
  body: unknown,
  fields: readonly Field[],
  list: string,
): { readonly typed: Readonly<Record<Field, string>>; readonly values: readonly string[] } {
  const { [list]: sentValues = [], ...others } = bodySchema.safeParse(body).data ?? {};
  return {
    typed: readForm(others, fields),
    values: typeof sentValues === 'string' ? [sentValues] : sentValues,
  };
}

/** Leaves out the fields without a fault. */
export function faultsOf(faults: Readonly<Record<string, string | undefined>>): FieldFaults {
  return Object.fromEntries(
    Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * Reads the id that a form contains for a new row, so that sending the form twice makes only one.
 */
export function formId(text: string): string {
  const id = z.uuid({ version: 'v7' }).safeParse(text).data;
  if (id !== undefined) return id.toLowerCase();
  throw unreadableForm('Open the page again, and send it from there.');
}
