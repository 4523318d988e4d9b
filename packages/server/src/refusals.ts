import type { SubjectType } from '@overheard/contract';
import type {
  ConnectionFault,
  DatabasePaths,
  FieldsFault,
  FileFaults,
  LabelledRow,
  ListDoubt,
  ListFault,
  SubjectWordList,
  TextField,
  UnknownFilter,
  UnreadableForm,
} from './faults.ts';

export type {
  ConnectionFault,
  FileFault,
  FileFaults,
  SubjectWordList,
  TextField,
} from './faults.ts';

/** What a refusal says about the caller: wrong usage, wrong state of the data or files, or unavailable for now. */
type Kind = 'usage' | 'state' | 'unavailable';

/** One kind of refusal. `Facts` exists for the types alone. */
interface Definition<Facts> {
  readonly kind: Kind;
  readonly facts?: Facts;
}

type NoFacts = Readonly<Record<string, never>>;

/**
 * Every reason for which a flow refuses its work: what happened, and the facts of it. The command
 * line and the pages put it into words.
 */
export const refusals = {
  // workspaces and their rows
  workspace_removed: state<NoFacts>(),
  id_ambiguous: state<{ word: string; candidates: readonly LabelledRow[]; hasMore: boolean }>(),
  text_not_well_formed: usage<{ field: TextField }>(),
  text_has_control_characters: usage<{ field: TextField }>(),
  text_empty: usage<{ field: TextField }>(),
  text_too_long: usage<{ field: TextField; lengthMax: number }>(),
  slug_malformed: usage<{ slug: string }>(),
  slug_taken: state<{ slug: string }>(),
  workspace_not_found: state<{ slug: string; nearest?: string | undefined; hasAny: boolean }>(),
  domain_malformed: usage<{
    text: string;
    fault: 'no_host_name' | 'has_port' | 'is_address' | 'has_no_dot' | 'bad_label';
  }>(),
  domain_is_shared_site: usage<{ text: string }>(),
  path_malformed: usage<{ text: string; fault: 'no_web_address' | 'has_port' }>(),
  path_is_whole_site: usage<{ text: string; domain: string }>(),
  alias_pattern_invalid: usage<{ pattern: string }>(),
  alias_pattern_matches_nothing: usage<{ pattern: string }>(),
  aliases_contradict: usage<{ aliases: ReadonlyArray<{ alias: string; match: string }> }>(),
  subject_words_too_many: usage<{ countMax: number }>(),
  subject_not_found: state<{ subject: string; nearest?: string | undefined }>(),
  subject_removed: state<{ name: string; id: string }>(),
  subject_word_not_found: state<{
    list: SubjectWordList;
    word: string;
    nearest?: string | undefined;
  }>(),
  subject_word_taken: state<{
    list: SubjectWordList;
    word: string;
    owner: { type: SubjectType; name: string; id: string };
  }>(),
  brand_not_removable: state<{ name: string }>(),
  subject_changed: state<{ name: string }>(),
  import_not_found: state<{ id: number }>(),
  // access
  key_expiry_malformed: usage<{ text: string }>(),
  key_expiry_past: usage<{ text: string }>(),
  key_expiry_too_late: usage<{ text: string }>(),
  key_not_found: state<NoFacts>(),
  key_ambiguous: state<{ keys: ReadonlyArray<{ id: string; name: string }> }>(),
  // people
  email_malformed: usage<{ text: string }>(),
  user_not_found: state<{ email: string; nearest?: string | undefined }>(),
  user_exists: state<{ email: string }>(),
  user_disabled: state<{ email: string }>(),
  last_admin: state<NoFacts>(),
  // answers
  action_not_found: state<{ id: string }>(),
  action_moved: state<{ seen: string; before: string }>(),
  mapping_unreadable: state<{ path: string }>(),
  engine_key_missing: state<{ engine: string; variable: string }>(),
  engine_not_found: state<{ engine: string; known: readonly string[] }>(),
  engine_key_malformed: state<{ variable: string }>(),
  engine_missing: state<NoFacts>(),
  engine_name_malformed: usage<NoFacts>(),
  engine_model_missing: usage<{ engine: string; kind: string | undefined }>(),
  engine_variable_malformed: usage<NoFacts>(),
  engine_address_malformed: usage<{ mayBePlain: boolean }>(),
  engine_bound_zero: usage<{ engine: string }>(),
  engine_bound_missing: state<{ engine: string; model: string }>(),
  engine_cap_reached: state<{ engine: string }>(),
  operator_cap_reached: state<NoFacts>(),
  budget_missing: state<NoFacts>(),
  budget_above_cap: state<{ dayCapUsd: number; monthCapUsd: number }>(),
  prompt_not_found: state<{ prompt: string; nearest?: string | undefined }>(),
  run_not_found: state<{ word: string }>(),
  run_without_answer: state<{ id: string }>(),
  runs_too_many: usage<{ countMax: number }>(),
  score_not_found: state<{ date: string; engine: string; nearest?: string | undefined }>(),
  filter_unknown: state<UnknownFilter>(),
  mapping_malformed: state<{ path: string; at: string; fields: readonly string[] }>(),
  // crawlers
  hit_not_found: state<{ word: string }>(),
  address_malformed: usage<{ text: string }>(),
  site_malformed: usage<{ text: string }>(),
  time_malformed: usage<{ flag: string; text: string }>(),
  nat64_malformed: usage<{ text: string; lengths: readonly number[] }>(),
  proxy_unknown: usage<{ name: string }>(),
  log_pattern_matches_nothing: state<{ pattern: string }>(),
  log_format_unknown: usage<{ format: string; formats: readonly string[] }>(),
  log_fields_invalid: usage<FieldsFault>(),
  bot_malformed: usage<{ field: string; expected: string }>(),
  bot_token_of_browser: usage<{ token: string; browser: string }>(),
  bot_not_found: state<{ token: string }>(),
  hosts_not_logged: state<NoFacts>(),
  secret_malformed: state<{ path: string }>(),
  secret_has_hits: state<{ count: number; slug: string }>(),
  list_unknown: usage<{ id: string; from: 'import' | 'update'; nearest: string | undefined }>(),
  list_id_missing: usage<{ path: string }>(),
  list_id_of_folder: usage<{ path: string }>(),
  list_id_malformed: usage<{ id: string }>(),
  list_folder_empty: state<{ path: string }>(),
  list_malformed: state<{ path: string | undefined; fault: ListFault }>(),
  list_unlikely: state<{
    id: string;
    path: string | undefined;
    from: 'import' | 'update';
    fault: ListDoubt;
  }>(),
  robots_not_text: state<{ path: string }>(),
  robots_in_future: usage<{ at: string }>(),
  robots_moment_taken: state<{ host: string; at: string }>(),
  robots_not_found: state<{ host: string; at: string | undefined }>(),
  list_not_fetched: state<{ status?: number; timeoutSeconds?: number }>(),
  list_not_found: state<{ id: string }>(),
  list_version_unclear: usage<{
    id: string;
    first: string | undefined;
    versions: ReadonlyArray<{ firstAt: string; size: number }>;
  }>(),
  log_cannot_be_followed: usage<{ path: string; form: 'folder' | 'not_a_file' | 'compressed' }>(),
  log_unreadable: state<{ form: UnreadableForm }>(),
  // files that are read and written
  stopped: state<NoFacts>(),
  file_unreadable: state<{ path: string; errno: string }>(),
  file_is_folder: state<{ path: string }>(),
  file_is_archive: state<{ file: string }>(),
  file_damaged: state<{ file: string }>(),
  file_encoding_wide: state<{ file: string; encoding: string }>(),
  file_not_utf8: state<{ file: string; line: number }>(),
  row_too_long: state<{ file: string; line: number; bytesMax: number }>(),
  json_array_missing: state<{
    file: string;
    line: number;
    array: string | undefined;
    found: string;
  }>(),
  columns_invalid: state<FileFaults & { isUndivided: boolean }>(),
  rows_invalid: state<FileFaults & { hidden: number }>(),
  output_exists: state<{ path: string }>(),
  output_packed: usage<{ ending: string }>(),
  output_not_file: state<{ path: string }>(),
  output_unwritable: state<{ path: string | undefined; errno: string }>(),
  temporary_folder_full: state<NoFacts>(),
  // the database
  database_not_named: usage<NoFacts>(),
  database_scheme_unknown: usage<{ scheme: string }>(),
  database_name_malformed: usage<NoFacts>(),
  database_is_folder: usage<{ path: string }>(),
  database_not_found: state<{ path: string }>(),
  database_folder_closed: state<{ path: string }>(),
  database_unreadable: state<{ path: string }>(),
  database_empty: state<{ path: string }>(),
  database_not_ours: state<{ path: string }>(),
  database_foreign: state<{ path: string }>(),
  database_newer: state<{ path: string | undefined; version: number; known: number }>(),
  database_damaged: state<{ path: string }>(),
  database_link_broken: state<{ path: string }>(),
  database_not_writable: state<{
    path: string;
    uid: number | undefined;
    isReadOnlyDisk: boolean;
  }>(),
  data_file_missing: state<DatabasePaths>(),
  keys_file_missing: state<DatabasePaths>(),
  keys_file_exists: state<{ path: string }>(),
  installations_differ: state<DatabasePaths>(),
  file_not_creatable: state<{
    what: 'file' | 'folder';
    path: string;
    errno:
      | 'EACCES'
      | 'EPERM'
      | 'EROFS'
      | 'ENOSPC'
      | 'ENOTDIR'
      | 'EEXIST'
      | 'ENAMETOOLONG'
      | 'ELOOP'
      | 'ENOENT';
  }>(),
  backup_of_postgres: usage<{ target: string; address: string }>(),
  backup_parent_missing: state<{ folder: string }>(),
  backup_parent_unwritable: state<{ folder: string }>(),
  backup_target_is_database: usage<{ target: string }>(),
  backup_target_is_file: state<{ target: string }>(),
  backup_target_foreign: state<{ target: string }>(),
  backup_exists: state<{ target: string }>(),
  backup_copy_damaged: state<NoFacts>(),
  backup_stopped: state<NoFacts>(),
  postgres_address_malformed: usage<NoFacts>(),
  sslmode_unknown: usage<NoFacts>(),
  tls_file_unreadable: usage<{ path: string }>(),
  postgres_right_missing: state<NoFacts>(),
  postgres_too_old: state<{ version: string }>(),
  postgres_encoding_wrong: state<{ encoding: string }>(),
  distribution_of_sqlite: usage<NoFacts>(),
  citus_missing: state<NoFacts>(),
  keys_file_of_postgres: usage<NoFacts>(),
  // the server
  port_unavailable: state<{ host: string; port: number; fault: 'taken' | 'not_permitted' }>(),
  host_not_local: usage<{ host: string }>(),
  // the database, for now
  connection_failed: unavailable<{
    fault: ConnectionFault;
    place: string;
    host: string;
    user: string;
    database: string;
    /** Code or words of the driver. */
    words: string;
  }>(),
  postgres_password_missing: unavailable<NoFacts>(),
  database_unreachable: unavailable<NoFacts>(),
  connection_lost: unavailable<NoFacts>(),
  database_starting: unavailable<NoFacts>(),
  connections_exhausted: unavailable<NoFacts>(),
  database_out_of_room: unavailable<NoFacts>(),
  database_slow: unavailable<NoFacts>(),
  database_read_only: unavailable<NoFacts>(),
  transaction_conflict: unavailable<NoFacts>(),
  database_busy: unavailable<NoFacts>(),
  database_write_denied: unavailable<NoFacts>(),
  database_disk_failed: unavailable<NoFacts>(),
  database_disk_full: unavailable<NoFacts>(),
  database_file_closed: unavailable<NoFacts>(),
  database_damage_found: unavailable<NoFacts>(),
  long_reads_too_many: unavailable<NoFacts>(),
  workspace_half_removed: unavailable<NoFacts>(),
} as const satisfies Readonly<Record<string, Definition<object>>>;

export type RefusalCode = keyof typeof refusals;

/** The facts of each refusal. */
export type RefusalFacts = {
  readonly [Code in RefusalCode]: Required<(typeof refusals)[Code]>['facts'];
};

/** A flow refuses its work. What it was asked for was not done. */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly facts: RefusalFacts[Code];

  constructor(code: Code, facts: RefusalFacts[Code], { cause }: { cause?: unknown } = {}) {
    super(code, { cause });
    this.code = code;
    this.facts = facts;
  }
}

/** Use this instead of `instanceof`, which loses the types of the facts. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

function usage<Facts>(): Definition<Facts> {
  return { kind: 'usage' };
}

function state<Facts>(): Definition<Facts> {
  return { kind: 'state' };
}

function unavailable<Facts>(): Definition<Facts> {
  return { kind: 'unavailable' };
}
