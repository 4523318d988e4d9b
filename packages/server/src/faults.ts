/** What is wrong at one place of a file. */
export interface FileFault {
  /** Line at which the row begins, from 1. */
  readonly line: number;
  /** Name of the field; undefined if the whole row or file is meant. */
  readonly field?: string | undefined;
  /** What should be there, as the end of "expected ...". */
  readonly expected: string;
  /** What is there; undefined if there is nothing to show. */
  readonly found?: unknown;
}

export interface FileFaults {
  readonly file: string;
  readonly faults: readonly FileFault[];
  /** Names of fields or columns that are not known. */
  readonly unknown: readonly string[];
}

/** How an operator publishes a list of networks. `own` is any form of networks alone. */
export type ListForm = 'json' | 'page' | 'geofeed' | 'own';

/** Why a file is not a list or a key directory. */
export type ListFault =
  | { readonly kind: 'not_a_list'; readonly form: ListForm }
  | {
      readonly kind: 'not_a_network';
      readonly form: ListForm;
      readonly place: string;
      readonly found: string;
    }
  | { readonly kind: 'too_wide'; readonly network: string }
  | { readonly kind: 'too_large'; readonly bytesMax: number }
  | { readonly kind: 'in_future'; readonly at: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'no_key' }
  | { readonly kind: 'undated' };

/** Why a list is unlikely to be its operator's. */
export type ListDoubt =
  | { readonly kind: 'not_global'; readonly network: string }
  | { readonly kind: 'too_wide'; readonly network: string }
  | { readonly kind: 'visitors'; readonly singles: number }
  | { readonly kind: 'singles'; readonly singles: number }
  | { readonly kind: 'size'; readonly entries: number; readonly before: number };

/** Why `--format fields=...` cannot make a hit. */
export type FieldsFault =
  | { readonly fault: 'incomplete' }
  | { readonly fault: 'partly_keyed' }
  | { readonly fault: 'unknown_name'; readonly name: string; readonly names: readonly string[] }
  | { readonly fault: 'unknown_option'; readonly option: string };

/** A form of file that is not a log. */
export type UnreadableForm =
  | 'bzip2'
  | 'xz'
  | 'lz4'
  | 'zip'
  | '7z'
  | 'tar'
  | 'parquet'
  | 'UTF-16'
  | 'UTF-16LE'
  | 'UTF-16BE'
  | 'carriage_returns';

/** Why no connection to PostgreSQL can be made. */
export type ConnectionFault =
  | 'refused'
  | 'host_unknown'
  | 'host_not_looked_up'
  | 'socket_missing'
  | 'connecting_not_permitted'
  | 'no_response'
  | 'tls_not_offered'
  | 'certificate_of_other_host'
  | 'certificate_out_of_date'
  | 'certificate_not_trusted'
  | 'tls_failed'
  | 'password_refused'
  | 'sign_in_refused'
  | 'user_refused'
  | 'password_method_differs'
  | 'database_missing'
  | 'database_not_permitted'
  | 'connections_exhausted'
  | 'server_starting'
  | 'closed_early'
  | 'other';

/** Where a text is used. */
export type TextField =
  | 'workspace_name'
  | 'key_name'
  | 'name'
  | 'alias'
  | 'alias_pattern'
  | 'domain'
  | 'path';

/** A row, by its id and by what a person knows it by. */
export interface LabelledRow {
  readonly id: string;
  readonly label: string;
}

/** The two files of an embedded database. */
export interface DatabasePaths {
  readonly data: string;
  readonly access: string;
}

/** A list of words that a subject has. */
export type SubjectWordList = 'alias' | 'domain' | 'path';

/** A filter that names nothing of the workspace, and what it could name. */
export interface UnknownFilter {
  readonly filter: 'engine' | 'locale' | 'host' | 'bot_name';
  readonly name: string;
  readonly nearest?: string | undefined;
  readonly names: readonly string[];
}
