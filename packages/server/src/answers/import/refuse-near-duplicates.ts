import type { Transaction } from 'kysely';
import { quoteValue } from '../../values/quote-value.ts';
import type { Faults } from '../../rows/fault.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from './answer.ts';
import { contentRunId } from './parse-answer.ts';
import { momentKey } from './find-changed.ts';
import type { RunsAtMoments } from './find-changed.ts';
import type { StagedFile } from './stage-answers.ts';

type ComparedAnswer = Pick<Answer, 'id' | 'model' | 'answer' | 'isDayAlone'>;

/** Most stored runs of one moment that a new answer is compared with. */
const candidatesMax = 20;

/**
 * Refuses new answers that are probably changed exports of stored runs: the same prompt, engine and
 * millisecond and no different model, but a different text. They would count twice. A row with its
 * own id is accepted as a different run. Rows that give only a day all share its midnight, so they
 * are refused only if their text is the same, apart from white space around it.
 */
export async function refuseNearDuplicates(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    answers,
    runsAtMoments,
    file,
    faults,
  }: {
    answers: readonly Answer[];
    runsAtMoments: RunsAtMoments;
    file: Pick<StagedFile, 'answers'>;
    faults: Faults;
  },
): Promise<void> {
  const earlier = new Map<string, Answer[]>();
  for (const answer of answers) {
    const key = momentKey(answer);
    const others = earlier.get(key) ?? [];
    earlier.set(key, [...others, answer].slice(0, candidatesMax));
    const runs = (runsAtMoments.get(key) ?? []).filter(({ isAnswered }) => isAnswered);
    if (others.length + runs.length === 0 || !isIdOfContent(answer)) continue;
    const isRival = (other: Pick<ComparedAnswer, 'id' | 'model'>) =>
      other.id !== answer.id && isSameModel(other, answer);
    const rival =
      others.filter(isRival).find((other) => isIdOfContent(other) && isSuspect(other, answer)) ??
      (await findStored(transaction, workspaceId, {
        answer,
        runs: runs.filter(isRival).slice(0, candidatesMax),
      }));
    if (rival !== undefined) addFault(rival, answer);
  }

  /** Report the fault at the later of the two lines. */
  function addFault(rival: ComparedAnswer, answer: ComparedAnswer): void {
    const [line = 1, rivalLine] = [answer.id, rival.id].map(file.answers.lineOf);
    const isLater = rivalLine !== undefined && rivalLine > line;
    const [before, now] = isLater ? [answer, rival] : [rival, answer];
    const place =
      rivalLine === undefined ? `of the run ${rival.id}` : `in line ${Math.min(line, rivalLine)}`;
    const change = difference(before, now);
    const expected = `${change.before} as ${place}, of the same prompt, engine and run_at (--accept counts both)`;
    faults.add({
      line: isLater ? rivalLine : line,
      field: change.field,
      expected,
      found: change.now,
    });
  }
}

/** A missing model matches every model. */
function isSameModel(
  left: Pick<ComparedAnswer, 'model'>,
  right: Pick<ComparedAnswer, 'model'>,
): boolean {
  return left.model === null || right.model === null || left.model === right.model;
}

function isSuspect(left: ComparedAnswer, right: ComparedAnswer): boolean {
  const isTimeKnown = !left.isDayAlone && !right.isDayAlone;
  return isTimeKnown || left.answer.trim() === right.answer.trim();
}

function isIdOfContent(answer: Answer): boolean {
  return answer.id === contentRunId(answer);
}

/**
 * Finds the first similar stored run whose id follows from its content. Reads one text at a time,
 * because a text may have megabytes.
 */
async function findStored(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    answer,
    runs,
  }: {
    answer: Answer;
    runs: ReadonlyArray<{ readonly id: string; readonly model: string | null }>;
  },
): Promise<ComparedAnswer | undefined> {
  for (const { id, model } of runs) {
    const row = await transaction
      .selectFrom('answers')
      .select('answer')
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', id)
      .executeTakeFirst();
    const storedAnswer = { ...answer, id, model, answer: row?.answer ?? '' };
    if (isIdOfContent(storedAnswer) && isSuspect(storedAnswer, answer)) return storedAnswer;
  }
  return undefined;
}

/** The first difference between two answers, with both texts around it. */
function difference(before: ComparedAnswer, now: ComparedAnswer) {
  if (before.answer === now.answer) {
    return { field: 'model', before: quoteValue(before.model), now: now.model } as const;
  }
  let start = 0;
  while (before.answer[start] === now.answer[start]) start += 1;
  const excerpt = ({ answer }: ComparedAnswer): string =>
    `${start > beforeMax ? '...' : ''}${answer.slice(Math.max(0, start - beforeMax), start + afterMax)}`;
  return { field: 'answer', before: quoteValue(excerpt(before)), now: excerpt(now) } as const;
}

const beforeMax = 25;
const afterMax = 30;
