import type { ActionRow } from '@overheard/contract';
import type { OptionalColumn } from './import-tables.ts';

/** An action. A derived action also has its kind and, as JSON, the inputs of its impact. */
export type ActionTable = ActionRow & {
  kind: OptionalColumn<string>;
  parts: OptionalColumn<string>;
};

/** A change of an action's status by a person. `place` counts from 1. */
export interface ActionChangeTable {
  action_id: string;
  place: number;
  status: ActionRow['status'];
  /** The earlier status; null on changes from before it was stored. */
  before: OptionalColumn<ActionRow['status']>;
  changed_at: string;
  /** The user; null if the command line did it, and on changes from before it was stored. */
  changed_by: OptionalColumn<string>;
}

/** A name or site that must not be suggested as a subject again. */
export interface DismissedNameTable {
  workspace_id: string;
  folded: string;
  name: string;
  dismissed_at: string;
  /** The user; null if the command line did it. */
  dismissed_by: OptionalColumn<string>;
}
