import { limits, prompts, subjects } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import type { ToolRow } from './tool-row.ts';

/** Where to find the name of an id, and the field to add with the name. */
export interface Lookup {
  readonly endpoint: Endpoint;
  /** The field of a row that has the id. */
  readonly id: string;
  /** The field of the endpoint that has the name, and the field that is added. */
  readonly name: string;
  readonly field: string;
  /** The parameter that takes ids, up to so many, if the endpoint does not give all rows. */
  readonly ids?: { readonly parameter: string; readonly max: number };
}

export const subjectNames: Lookup = {
  endpoint: subjects,
  id: 'subject_id',
  name: 'name',
  field: 'subject',
};

export const promptTexts: Lookup = {
  endpoint: prompts,
  id: 'prompt_id',
  name: 'text',
  field: 'prompt',
  ids: { parameter: 'prompt_id', max: limits.promptIdsMax },
};

/** The name of each row's id. */
export function namesOf({ name }: Lookup, rows: readonly ToolRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [String(row['id']), String(row[name])]));
}
