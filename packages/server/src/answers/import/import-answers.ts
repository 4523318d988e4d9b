import { recordImport } from '../../storage/record-import.ts';
import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { nameSharedTexts } from '../page-texts.ts';
import type { EngineText } from '../page-texts.ts';
import { readAnswers } from './read-answers.ts';
import type { AnswersRead, AnswersFile } from './read-answers.ts';
import { stageAnswers } from './stage-answers.ts';
import { writeAnswers } from './write-answers.ts';
import type { WrittenAnswers } from './write-answers.ts';

export interface ImportOptions extends AnswersFile {
  /** Accepts answers that are almost equal to those of another run. */
  readonly acceptsNearDuplicates?: boolean;
  readonly isDryRun?: boolean;
  /** Whether to name the texts that most answers of an engine share. */
  readonly namesSharedTexts?: boolean;
  /** The user who imports; undefined on the command line. */
  readonly importedBy?: string | undefined;
  /** Called with the number of judged answers. */
  readonly onWritten?: (answers: number) => void;
}

/** What an import did, or would have done. */
export interface ImportSummary
  extends Omit<AnswersRead, 'contentHash'>, Omit<WrittenAnswers, 'promptsMet' | 'engines'> {
  /** The import's number in the workspace; null in a dry run. */
  readonly importId: number | null;
  /** Texts that most answers of one of the file's engines share: perhaps the page's own. */
  readonly sharedTexts: readonly EngineText[];
}

/**
 * Imports a file of answers with their runs, detections and the scores of their days, completely or
 * not at all. First reads, checks and stages the file without a lock, then judges and writes in one
 * transaction. Throws a `Refusal` that lists the faults of the file.
 */
export async function importAnswers(store: Store, options: ImportOptions): Promise<ImportSummary> {
  const { workspaceId, source, acceptsNearDuplicates = false, isDryRun = false, signal } = options;
  const { namesSharedTexts = false } = options;
  const { importedBy, clock, onWritten = () => {} } = options;
  const file = stageAnswers();
  try {
    const { contentHash, ...reading } = await readAnswers(store, file, options);
    file.seal();
    const shared = {
      workspaceId,
      file,
      fileName: source.name,
      acceptsNearDuplicates,
      signal,
      onWritten,
    };
    const {
      promptsMet: _,
      engines: __,
      ...counts
    } = await writeOrTry(store, workspaceId, {
      isDryRun,
      write: (transaction) =>
        recordImport(transaction, workspaceId, {
          file: { kind: 'answers', file: source.name, contentHash, importedBy, clock },
          write: async (importId) => {
            const written = await writeAnswers(store, transaction, { ...shared, importId });
            const engines = namesSharedTexts ? written.engines : [];
            const sharedTexts = await nameSharedTexts(transaction, workspaceId, engines);
            return { ...written, sharedTexts };
          },
          countsOf: ({ runs, promptsMet }) => ({ ...runs, changed: 0, parentsMet: promptsMet }),
        }),
    });
    return { ...reading, ...counts, importId: isDryRun ? null : counts.importId };
  } finally {
    file.close();
    source.stream.destroy();
  }
}
