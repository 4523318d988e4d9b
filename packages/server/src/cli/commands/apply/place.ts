import type { Store } from '../../../storage/store.ts';
import type { DescribedWorkspace, Path, WorkspaceFile } from './workspace-file.ts';

/** What was changed in a workspace, or would be. */
export interface AppliedChange {
  readonly workspace: string;
  readonly kind:
    | 'workspace'
    | 'brand'
    | 'competitor'
    | 'prompt'
    | 'tag'
    | 'budget'
    | 'member'
    | 'recipient';
  readonly action: 'added' | 'changed' | 'archived' | 'switched off' | 'removed';
  readonly names: readonly string[];
}

export interface ApplyOptions {
  readonly isDryRun: boolean;
  /** Whether what a list of the file leaves out is removed. */
  readonly prunes: boolean;
  /** The name of the file, under which prompts are imported. */
  readonly fileName: string;
  readonly clock: () => number;
}

/** One workspace of the file, while it is applied. */
export interface Place extends ApplyOptions {
  readonly store: Store;
  readonly file: WorkspaceFile;
  readonly described: DescribedWorkspace;
  /** Where the workspace is in the file. */
  readonly path: Path;
  readonly workspaceId: string;
  readonly change: (
    kind: AppliedChange['kind'],
    action: AppliedChange['action'],
    names: readonly string[],
  ) => void;
  /** Does a write outside of the workspaces' data, once the data is committed. */
  readonly later: (work: () => Promise<unknown>) => void;
}
