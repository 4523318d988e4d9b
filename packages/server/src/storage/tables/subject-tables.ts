import type { DetectionRow, SourceRow } from '@overheard/contract';
import type { AliasMatch } from '../../values/alias.ts';
import { table, text } from './table.ts';

/** Workspaces and the names that they track. */
export const subjectTables = {
  workspaces: table({
    unique: { workspaces_slug_key: ['slug'] },
    columns: {
      id: text().primary(),
      slug: text(),
      name: text(),
      created_at: text(),
      /** Language and market of its prompts, `en-US`. */
      locale: text().nullable(),
      /** When it was put away: not listed, not asked. Its data and keys stay. */
      archived_at: text().nullable(),
      /** The last month whose report needs no publishing, `2026-10`; null if months are not published. */
      published_until: text().nullable(),
    },
  }),
  /** A random token per workspace, replaced at every write of its data. */
  revisions: table({ columns: { workspace_id: text().primary(), revision: text() } }),
  subjects: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      subject_type: text<DetectionRow['subject_type']>(),
      name: text(),
      created_at: text(),
      archived_at: text().nullable(),
    },
  }),
  /** One row per name or alias. `folded` makes it unique in the workspace. */
  subject_aliases: table({
    key: ['workspace_id', 'folded'],
    columns: {
      workspace_id: text(),
      folded: text(),
      subject_id: text(),
      alias: text(),
      match: text<AliasMatch>(),
    },
  }),
  subject_domains: table({
    key: ['workspace_id', 'domain'],
    columns: { workspace_id: text(), domain: text(), subject_id: text() },
  }),
  /** A path on a third-party site that belongs to the subject: `github.com/acme`. */
  subject_paths: table({
    key: ['workspace_id', 'path'],
    columns: { workspace_id: text(), path: text(), subject_id: text() },
  }),
  /** The kind of a site, if a person has set it. */
  source_kinds: table({
    key: ['workspace_id', 'site'],
    columns: { workspace_id: text(), site: text(), kind: text<SourceRow['kind']>() },
  }),
} as const;
