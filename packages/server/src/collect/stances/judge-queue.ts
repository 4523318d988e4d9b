import { readCitationsToJudge } from '../../answers/stances/answers-to-judge.ts';
import { createPreparer } from '../../answers/stances/prepare.ts';
import { stanceVersion, writeQuestion } from '../../answers/stances/question.ts';
import type { JudgedAnswer } from '../../answers/stances/store-stances.ts';
import { readRunsById } from '../../answers/read-stored-runs.ts';
import { readSubjects } from '../../answers/subjects.ts';
import { pad } from '../../storage/chunks.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { attemptsMax } from './claim-judgement.ts';
import { judgementId } from './stance-question.ts';
import type { StanceQuestion } from './stance-question.ts';

const answersAtOnce = 64;

interface QueueOptions {
  readonly workspaceId: string;
  /** The engine of the judge. */
  readonly judge: string;
  readonly runIds: readonly string[];
}

/** Hands each question to one of this process's workers, and prepares answers a few at a time. */
export async function createJudgeQueue(
  store: Store,
  ledger: Ledger,
  { workspaceId, judge, runIds }: QueueOptions,
) {
  const prepare = createPreparer(await readSubjects(store.reader, workspaceId));
  const waiting = [...runIds];
  const ready: StanceQuestion[] = [];
  let proven: JudgedAnswer[] = [];
  let preparing: Promise<void> | undefined;
  return {
    next,
    /** Puts a question back that was not billed. */
    putBack: (judgement: StanceQuestion) => void ready.push(judgement),
    /** Takes the answers that rules alone have judged since the last call. */
    takeProven: () => {
      const taken = proven;
      proven = [];
      return taken;
    },
    /** Answers that no worker has taken yet. */
    left: () => waiting.length + ready.length,
  };

  async function next(): Promise<StanceQuestion | undefined> {
    while (ready.length === 0 && waiting.length > 0) {
      preparing ??= prepareSome().finally(() => (preparing = undefined));
      await preparing;
    }
    return ready.shift();
  }

  async function prepareSome(): Promise<void> {
    const ids = waiting.splice(0, answersAtOnce);
    const citations = await readCitationsToJudge(store, { workspaceId, judge }, ids);
    const runs = await readRunsById(store.reader, workspaceId, ids);
    const judgements = runs.flatMap((run): StanceQuestion[] => {
      const prepared = prepare(run, citations.get(run.id) ?? []);
      const { asked: subjects } = prepared;
      if (prepared.proven.length > 0) {
        const by = { judge, model: null, version: stanceVersion };
        proven.push({ runId: run.id, ...by, subjects: prepared.proven });
      }
      if (subjects.length === 0) return [];
      const id = judgementId(
        { workspaceId, runId: run.id, subjects },
        { judge, answer: run.answer },
      );
      const question = writeQuestion(run.answer, subjects, id);
      return [{ workspaceId, id, runId: run.id, subjects, question }];
    });
    const asked = await readAsked(ledger, workspaceId, judgements);
    ready.push(...judgements.filter(({ id }) => !asked.has(id)));
  }
}

/**
 * The questions that were asked before. A finished one whose rows are gone is read again from its
 * kept response, because the answer was removed and imported again.
 */
async function readAsked(
  ledger: Ledger,
  workspaceId: string,
  judgements: readonly StanceQuestion[],
): Promise<ReadonlySet<string>> {
  if (judgements.length === 0) return new Set();
  const rows = await ledger.db
    .selectFrom('judgements')
    .select(['id', 'state', 'attempts', 'handed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(judgements.map(({ id }) => id)))
    .where('state', '<>', 'planned')
    .execute();
  const done = rows.filter(({ state, handed_at: at }) => state === 'done' && at !== null);
  if (done.length > 0) {
    const ids = done.map(({ id }) => id);
    await ledger.write((transaction) =>
      transaction
        .updateTable('judgements')
        .set({ handed_at: null })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', ids)
        .execute(),
    );
  }
  const ended = rows.filter(({ state, attempts }) => state !== 'failed' || attempts >= attemptsMax);
  return new Set(ended.map(({ id }) => id));
}
