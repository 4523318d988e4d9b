import { confirmRows, recordImport } from '../../storage/record-import.ts';
import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { nameSharedTexts, readPageTexts } from '../page-texts.ts';
import type { EngineText } from '../page-texts.ts';
import { readAnswers } from './read-answers.ts';
import type { AnswersFile, AnswersRead } from './read-answers.ts';
import { batchLimits, stageAnswers } from './stage-answers.ts';
import type { Outcome } from '@overheard/contract';
import type { Transaction } from 'kysely';
import { Faults } from '../../rows/fault.ts';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { StagedRow } from '../../storage/staging/staging.ts';
import { recomputeScores } from '../scores/recompute.ts';
import type { EngineDay } from '../scores/recompute.ts';
import { createJudge, keepSubjectSet, readSubjects } from '../subjects.ts';
import { findChanged, findCrowded } from './find-changed.ts';
import { refuseNearDuplicates } from './refuse-near-duplicates.ts';
import { insertRuns, removeUnansweredRuns } from './insert-runs.ts';
import type { InsertedRun } from './insert-runs.ts';
import type { Answer } from './answer.ts';
import type { StagedFile } from './stage-answers.ts';
import { writePrompts } from './write-prompts.ts';

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

interface WriteOptions {
  readonly workspaceId: string;
  /** The number of the import, stored with its runs and prompts. */
  readonly importId: number;
  readonly file: StagedFile;
  readonly fileName: string;
  /** Whether answers that are almost equal to those of another run are accepted. */
  readonly acceptsNearDuplicates: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onWritten: (answers: number) => void;
}

/** What was written. */
interface WrittenAnswers {
  readonly hasChanged: boolean;
  readonly runs: { readonly new: number; readonly unchanged: number };
  /**
   * New runs that were stored before without their answers, because only their detections had been
   * imported.
   */
  readonly adopted: number;
  /** New runs by outcome. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** New answered runs whose prompt names the brand: detected, not scored. */
  readonly branded: number;
  /** New counted runs whose prompt names a competitor: scored, and certain to cite it. */
  readonly namesCompetitor: number;
  readonly newPrompts: number;
  /** New prompts that are marked English and look like another language, by that language. */
  readonly guessedLanguages: Readonly<Record<string, number>>;
  /** Prompts of the file that were already stored. */
  readonly promptsMet: number;
  /** Citations in new runs, each subject at most once per run. */
  readonly citations: number;
  /** The engines of new runs. */
  readonly engines: readonly string[];
  /** Scores that are new or changed, and how many of them replace an imported score. */
  readonly scores: { readonly changed: number; readonly replaced: number };
  /** Sentences about subjects that will be found wrongly. */
  readonly warnings: readonly string[];
}

/**
 * Judges and writes the staged answers. Throws a `Refusal` for runs that are stored with different
 * content.
 */
async function writeAnswers(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  { workspaceId, importId, file, fileName, acceptsNearDuplicates, signal, onWritten }: WriteOptions,
): Promise<WrittenAnswers> {
  const judge = createJudge(
    await readSubjects(transaction, workspaceId),
    await readPageTexts(transaction, workspaceId),
  );
  await keepSubjectSet(transaction, workspaceId, judge.subjectSet);
  const faults = new Faults();
  const tally = createRunTally();
  const count = { new: 0, adopted: 0, unchanged: 0 };
  const prompts = await writePrompts(store, transaction, workspaceId, {
    prompts: file.prompts,
    importId,
    faults,
    signal,
  });
  faults.refuse(fileName);
  for (const batch of file.answers.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const { runs, adopted } = await writeBatch(batch);
    tally.add(runs);
    count.new += runs.length;
    count.adopted += adopted.length;
    count.unchanged += batch.length - runs.length;
    onWritten(count.new + count.unchanged);
  }
  faults.refuse(fileName);
  const changes = await recomputeScores(transaction, workspaceId, [...tally.days.values()]);
  return {
    hasChanged: count.new + prompts.new + prompts.changed > 0,
    runs: { new: count.new, unchanged: count.unchanged },
    adopted: count.adopted,
    ...tally.counts,
    outcomes: tally.outcomes,
    newPrompts: prompts.new,
    guessedLanguages: prompts.guessed,
    promptsMet: prompts.met,
    engines: [...new Set([...tally.days.values()].map(({ engine }) => engine))].toSorted(),
    scores: {
      changed: changes.length,
      replaced: changes.filter(({ wasImported }) => wasImported).length,
    },
    warnings: judge.warnings,
  };

  async function writeBatch(batch: ReadonlyArray<StagedRow<Answer>>) {
    const { fresh, adopted, runsAtMoments } = await findChanged(transaction, workspaceId, {
      batch,
      isGiven: (id) => file.answers.lineOf(id) !== undefined,
      faults,
    });
    // Runs with other outcomes are not counted, so a second row does no harm.
    const counted = fresh.filter(({ outcome }) => outcome === 'answered');
    const answers = acceptsNearDuplicates ? [] : findCrowded(counted, runsAtMoments);
    if (answers.length > 0) {
      const compared = { answers, runsAtMoments, file, faults };
      await refuseNearDuplicates(transaction, workspaceId, compared);
    }
    await removeUnansweredRuns(transaction, workspaceId, adopted);
    const runs = await insertRuns(store, transaction, workspaceId, {
      answers: fresh,
      judge,
      importId,
    });
    const newIds = new Set(fresh.map(({ id }) => id));
    const same = batch.map(({ key }) => key).filter((id) => !newIds.has(id));
    await confirmRows(transaction, 'runs', { workspaceId, ids: same, importId });
    return { runs, adopted };
  }
}

/** Counts new runs, and collects the days whose scores they change. */
function createRunTally() {
  const days = new Map<string, EngineDay>();
  const outcomes = { answered: 0, refused: 0, empty: 0, failed: 0 };
  const counts = { branded: 0, namesCompetitor: 0, citations: 0 };
  return { add, days, outcomes, counts };

  function add(runs: readonly InsertedRun[]): void {
    for (const { answer, facts, cited } of runs) {
      outcomes[answer.outcome] += 1;
      if (answer.outcome === 'answered' && facts.isBranded) counts.branded += 1;
      else if (answer.outcome === 'answered' && facts.namesCompetitor) counts.namesCompetitor += 1;
      counts.citations += cited;
      const day = { date: answer.runAt.slice(0, 10), engine: answer.engine };
      days.set(`${day.date} ${day.engine}`, day);
    }
  }
}
