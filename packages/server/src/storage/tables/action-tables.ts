import type { ActionRow } from '@overheard/contract';
import type { OptionalColumn } from './import-tables.ts';

/** An action; a derived one knows its kind and, as JSON, the parts of its impact. */
export type ActionTable = ActionRow & {
  kind: OptionalColumn<string>;
  parts: OptionalColumn<string>;
};

/** What a person set an action to, and when; `place` counts from 1. */
export interface ActionChangeTable {
  action_id: string;
  place: number;
  status: ActionRow['status'];
  /** Null on changes of before it was kept. */
  before: OptionalColumn<ActionRow['status']>;
  changed_at: string;
  /** The user; null if the command line did it, and on changes of before it was kept. */
  changed_by: OptionalColumn<string>;
}

/** A name or a site that answers repeat and that is not to be suggested as a subject. */
export interface DismissedNameTable {
  workspace_id: string;
  folded: string;
  name: string;
  dismissed_at: string;
  /** The user; null if the command line did it. */
  dismissed_by: OptionalColumn<string>;
}
