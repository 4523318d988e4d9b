import type { DetectionRow, HitRow, Outcome, PromptRow } from '@overheard/contract';
import type { ColumnType } from 'kysely';
import type { AliasMatch } from '../values/alias.ts';
import type { CountedRange } from '../values/counted-range.ts';
import type { ActionChangeTable, ActionTable, DismissedNameTable } from './tables/action-tables.ts';
import type { CrawlerTables, OverruledBy } from './tables/crawler-tables.ts';
import type { EngineTables } from './tables/engine-tables.ts';
import type { JobTables } from './tables/job-tables.ts';
import type {
  ImportMarks,
  ImportTable,
  OptionalColumn,
  ScoreTable,
} from './tables/import-tables.ts';
import type { PeopleTables } from './tables/people-tables.ts';
import type {
  HitDayTable,
  HitPageTable,
  HitPageTotalTable,
  RollupStateTable,
  RunCountTable,
  SourceCountTable,
  SubjectSetTable,
} from './tables/rollup-tables.ts';

/**
 * The tables. Ids are UUIDs, moments `2026-11-20T12:34:56.789Z` and dates `2026-11-20`, all as text
 * in normal form, so that both databases compare and return the same bytes.
 * Every table of a workspace's data has `workspace_id` first in its key.
 */
export interface DataTables extends CrawlerTables {
  workspaces: WorkspaceTable;
  revisions: RevisionTable;
  subjects: SubjectTable;
  subject_aliases: SubjectAliasTable;
  subject_domains: SubjectDomainTable;
  subject_paths: SubjectPathTable;
  imports: ImportTable;
  prompts: WithImportMarks<WithBooleans<PromptRow, 'active'> & CollectColumn>;
  runs: WithImportMarks<RunTable>;
  detections: WithImportMarks<DetectionTable>;
  answers: WithWorkspace<AnswerTable>;
  scores: WithImportMarks<ScoreTable>;
  actions: WithImportMarks<ActionTable>;
  action_changes: WithWorkspace<ActionChangeTable>;
  dismissed_names: DismissedNameTable;
  hits: WithImportMarks<HitRow & HitColumns>;
  rollup_states: RollupStateTable;
  subject_sets: SubjectSetTable;
  run_counts: RunCountTable;
  source_counts: SourceCountTable;
  hit_days: HitDayTable;
  hit_pages: HitPageTable;
  hit_page_totals: HitPageTotalTable;
}

/** Tables that must never wait for an import. On SQLite they are in a separate file. */
export interface AccessTables extends PeopleTables, JobTables, EngineTables {
  keys: KeyTable;
  quota_log: QuotaLogTable;
}

type WithWorkspace<Row> = { workspace_id: string } & Row;

type WithImportMarks<Row> = WithWorkspace<Row> & ImportMarks;

/** Whether a person has switched a prompt on, so that it is put to engines. */
interface CollectColumn {
  collect: ColumnType<boolean | 0 | 1, boolean | undefined, boolean>;
}

/** A stored boolean. SQLite returns 0 and 1, and both databases accept `true` and `false`. */
type StoredBoolean = ColumnType<boolean | 0 | 1, boolean, boolean>;
type WithBooleans<Row, Booleans extends keyof Row> = Omit<Row, Booleans> & {
  [Column in Booleans]: StoredBoolean;
};

interface WorkspaceTable {
  id: string;
  slug: string;
  name: string;
  created_at: string;
}

/** A random token per workspace, replaced at every write of its data. */
interface RevisionTable {
  workspace_id: string;
  revision: string;
}

interface SubjectTable {
  workspace_id: string;
  id: string;
  subject_type: DetectionRow['subject_type'];
  name: string;
  created_at: string;
  archived_at: string | null;
}

/** One row per name or alias. `folded` makes it unique in the workspace. */
interface SubjectAliasTable {
  workspace_id: string;
  folded: string;
  subject_id: string;
  alias: string;
  match: AliasMatch;
}

interface SubjectDomainTable {
  workspace_id: string;
  domain: string;
  subject_id: string;
}

/** A path on a third-party site that belongs to the subject: `github.com/acme`. */
interface SubjectPathTable {
  workspace_id: string;
  path: string;
  subject_id: string;
}

interface RunTable {
  id: string;
  prompt_id: string | null;
  engine: string;
  run_at: string;
  /**
   * This and the next three columns are null on runs that were imported with detections but without
   * an answer.
   */
  outcome: OptionalColumn<Outcome>;
  /** Whether the prompt, as it was asked, names the brand. Such runs are not scored. */
  branded: ColumnType<boolean | 0 | 1 | null, boolean | null | undefined, boolean | null>;
  /**
   * Whether the prompt, as it was asked, names a competitor; null on runs judged before this was
   * stored.
   */
  names_competitor: ColumnType<boolean | 0 | 1 | null, boolean | null | undefined, boolean | null>;
  /** The method that judged the answer. */
  method: OptionalColumn<string>;
  /** The model; also null if the import does not name it. */
  model: OptionalColumn<string>;
  /** Hash of everything that decides whether runs may be compared. */
  cohort: OptionalColumn<string>;
  /** Id of the set of subjects that judged the answer. */
  judged_by: OptionalColumn<string>;
}

/** The answer of an engine. */
interface AnswerTable extends CountedRange {
  run_id: string;
  /** The prompt's text as it was put to the engine. */
  asked: string;
  answer: string;
  /** JSON: `[{url, title?}]`, in the engine's order. */
  sources: string;
  /** JSON: the sites that the answer links or names as sources, each once, in order. */
  sites: string;
}

/**
 * A detection. The last three columns have the mention or link that shows it. They are null on
 * imported rows, and if there is none.
 */
type DetectionTable = WithBooleans<Omit<DetectionRow, 'engine' | 'run_at'>, 'cited'> & {
  id: string;
  alias: OptionalColumn<string>;
  sentence: OptionalColumn<string>;
  url: OptionalColumn<string>;
};

/** The columns of a hit besides the contract's fields. On imported rows all but the id are null. */
interface HitColumns {
  id: string;
  host: string | null;
  /** The client's address, until it is removed. */
  address: string | null;
  /** A keyed hash of the address's network; null for hits of before visitors were looked at. */
  network: string | null;
  user_agent: string | null;
  /** JSON: the headers that a verdict may depend on, if the log has them. */
  signature: string | null;
  /** JSON: what the hit's own verdict rests on. */
  evidence: string | null;
  /** Why the site's hits and visitors overrule the hit's own verdict. */
  overruled_by: OverruledBy | null;
}

interface KeyTable {
  id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the whole key, 64 hexadecimal digits. */
  hash: string;
  last_four: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** Users; null if the command line did it. */
  created_by: OptionalColumn<string>;
  revoked_by: OptionalColumn<string>;
  /** The key that replaces this one. */
  replaced_by: OptionalColumn<string>;
}

/**
 * The requests that counted in the last hour, by workspace and endpoint. Their times are in a
 * `bigint[]` on PostgreSQL, and in the rows of `quota_times` on SQLite.
 */
interface QuotaLogTable {
  workspace_id: string;
  endpoint: string;
}
