import { prompts, subjects } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import type { ToolRow } from './row.ts';

/** Where the name behind an id is found, and the field of it beside the id in a row. */
export interface Lookup {
  readonly endpoint: Endpoint;
  /** The field of a row that has the id. */
  readonly id: string;
  /** The field of the endpoint that has the name, and the field that is added. */
  readonly name: string;
  readonly field: string;
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
};

/** The names by id. */
export function namesOf({ name }: Lookup, rows: readonly ToolRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [String(row['id']), String(row[name])]));
}
