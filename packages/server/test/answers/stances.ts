import type { Stance } from '@overheard/contract';
import type { Store } from '../../src/storage/store.ts';
import { writeWorkspace } from '../../src/storage/write.ts';
import { aWorkspace, importRows } from './answers.ts';

/** A stance for a test: its run is found by the moment, and its subject by the name. */
export interface TestStance {
  readonly run_at: string;
  readonly subject: string;
  /** Null for a void row. */
  readonly stance: Stance | null;
  readonly purpose?: string;
  readonly quote?: string;
  /** How a person labelled it. */
  readonly label?: Stance;
}

/** Stores stances of runs that have their detections, as a judge of this engine and version. */
export async function writeStances(
  store: Store,
  workspaceId: string,
  stances: readonly TestStance[],
  { judge = 'judge_api', version = 1, judgedAt = '2026-11-20T00:00:00.000Z' } = {},
): Promise<void> {
  const runs = await store.reader
    .selectFrom('runs')
    .select(['id', 'run_at'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const subjects = await store.reader
    .selectFrom('subjects')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const keyOf = ({ run_at: at, subject }: TestStance) => ({
    workspace_id: workspaceId,
    run_id: runs.find((run) => run.run_at === new Date(at).toISOString())?.id ?? '',
    subject_id: subjects.find(({ name }) => name === subject)?.id ?? '',
  });
  await writeWorkspace(store, workspaceId, async (transaction) => {
    for (const row of stances) {
      const { stance, purpose = null, label } = row;
      const quote = stance === null ? null : (row.quote ?? row.subject);
      await transaction
        .insertInto('stances')
        .values({
          ...keyOf(row),
          stance,
          purpose,
          quote,
          judge,
          model: null,
          version,
          by_rule: false,
          judged_at: judgedAt,
          sentiment: sentimentOf(stance),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'run_id', 'subject_id'])
            .doUpdateSet({ stance, purpose, quote, judge, version, judged_at: judgedAt }),
        )
        .execute();
      if (label === undefined) continue;
      await transaction
        .insertInto('stance_labels')
        .values({
          ...keyOf(row),
          stance: label,
          labelled_at: judgedAt,
          labelled_by: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return { hasChanged: true };
  });
}

function sentimentOf(stance: Stance | null) {
  if (stance === 'first_choice' || stance === 'recommended_for') return 'positive';
  if (stance === 'also' || stance === 'plain') return 'neutral';
  return stance === 'advised_against' ? 'negative' : null;
}

/** Ten prompts, each with an answer of two engines; every answer names Acme and Globex. */
const prompts = Array.from({ length: 10 }, (_, index) => `Which tool for ${index}?`);
const moment = (prompt: number, engine: number) =>
  `2026-11-${String(prompt + 10).padStart(2, '0')}T0${engine}:00:00.000Z`;
export const answers = prompts.flatMap((prompt, index) =>
  ['chatgpt', 'claude_api'].map((engine, place) => ({
    prompt,
    engine,
    locale: 'en-US',
    run_at: moment(index, place),
    answer: 'Acme and Globex.',
  })),
);

/** A stance of the answer to a prompt on an engine, by their numbers. */
export function aStance(
  prompt: number,
  engine: number,
  more: Omit<TestStance, 'run_at'>,
): TestStance {
  return { run_at: moment(prompt, engine), ...more };
}

/** Acme is recommended in 5 of its 9 stances, Globex in 5 of its 10. */
export const judged: readonly TestStance[] = prompts.flatMap((_, index) => [
  aStance(index, 0, {
    subject: 'Acme',
    ...(index < 4
      ? {
          stance: 'recommended_for',
          purpose: index === 0 ? 'The  Small agencies' : 'small agencies',
          quote: `Best for small agencies: Acme ${index}`,
        }
      : index === 4
        ? { stance: 'first_choice' }
        : index === 5
          ? { stance: 'advised_against', quote: 'Avoid Acme' }
          : index === 6
            ? { stance: null }
            : { stance: 'plain' }),
  }),
  aStance(index, 0, {
    subject: 'Globex',
    stance: index < 5 ? 'recommended_for' : 'also',
    ...(index < 5 ? { purpose: 'SMALL agencies' } : {}),
  }),
]);

/** With a label of each answer that agrees with the judge. */
export function labelled(rows: readonly TestStance[]): readonly TestStance[] {
  const isDrawn = ({ run_at: at, subject }: TestStance) =>
    (subject === 'Acme') !== (at === moment(6, 0));
  return rows.map((row): TestStance => ({
    ...row,
    ...(row.stance !== null && isDrawn(row) && { label: row.stance }),
  }));
}

/** A workspace of these answers and stances; all are labelled as the judge says unless they are given. */
export async function aJudgedWorkspace(
  store: Store,
  rows: readonly TestStance[] = labelled(judged),
): Promise<string> {
  const workspaceId = await aWorkspace(store);
  await importRows(store, workspaceId, answers);
  await writeStances(store, workspaceId, rows);
  return workspaceId;
}
