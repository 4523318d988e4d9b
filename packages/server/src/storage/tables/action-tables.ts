import type { ActionRow } from '@overheard/contract';
import { importMarks } from './import-tables.ts';
import { double, integer, table, text } from './table.ts';

export const actionTables = {
  actions: table({
    key: ['workspace_id', 'id'],
    index: {
      // The order of the endpoint, so that a long list can be read in slices. The status is last, so
      // that the index alone excludes rows of other statuses.
      actions_by_impact: {
        columns: [
          'workspace_id',
          'impact_score desc nulls last',
          'created_at desc',
          'id',
          'status',
        ],
      },
    },
    columns: {
      workspace_id: text(),
      id: text(),
      prompt_id: text().nullable(),
      recommendation: text(),
      priority: text<ActionRow['priority']>(),
      status: text<ActionRow['status']>(),
      impact_score: double().nullable(),
      sov_baseline: double().nullable(),
      sov_result: double().nullable(),
      created_at: text(),
      /** Of a derived action, its kind and, as JSON, the inputs of its impact. */
      kind: text().nullable(),
      parts: text().nullable(),
      ...importMarks,
      /** The user who is to fix it; kept if they leave the workspace. */
      assigned_to: text().nullable(),
      /** What people have tried, in their own words. */
      note: text().nullable(),
    },
  }),
  /** A change of an action's status by a person. */
  action_changes: table({
    key: ['workspace_id', 'action_id', 'place'],
    columns: {
      workspace_id: text(),
      action_id: text(),
      /** Counts from 1. */
      place: integer(),
      status: text<ActionRow['status']>(),
      changed_at: text(),
      /** The earlier status; null on changes from before it was stored. */
      before: text<ActionRow['status']>().nullable(),
      /** The user; null if the command line did it, and on changes from before it was stored. */
      changed_by: text().nullable(),
    },
  }),
  /** A name or site that must not be suggested as a subject again. */
  dismissed_names: table({
    key: ['workspace_id', 'folded'],
    columns: {
      workspace_id: text(),
      folded: text(),
      name: text(),
      dismissed_at: text(),
      /** The user; null if the command line did it. */
      dismissed_by: text().nullable(),
    },
  }),
} as const;
