import type { Selectable } from 'kysely';
import { readRunsById } from '../../answers/read-stored-runs.ts';
import { stanceVersion } from '../../answers/stances/question.ts';
import { readVerdicts } from '../../answers/stances/read-verdict.ts';
import { storeStances } from '../../answers/stances/store-stances.ts';
import type { JudgedAnswer } from '../../answers/stances/store-stances.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { readStored } from '../ledger/stored-answer.ts';
import { attemptsMax } from './claim-judgement.ts';
import { parseAsked } from './stance-question.ts';

/** Most answers in one transaction. Other writers of the workspace wait for it. */
const answersMax = 100;

/**
 * Stores the stances of the present judge's finished judgements from their kept responses, and void
 * rows for questions that have no reply and are not asked again. Doing it again changes nothing more.
 */
export async function handOverJudgements(
  store: Store,
  ledger: Ledger,
  { workspaceId, judge, clock }: { workspaceId: string; judge: string; clock: () => number },
) {
  let count = { judged: 0, void: 0 };
  for (;;) {
    const rows = await ledger.db
      .selectFrom('judgements')
      .leftJoin('bodies', (join) =>
        join
          .on('bodies.workspace_id', '=', workspaceId)
          .onRef('bodies.reading_id', '=', 'judgements.id'),
      )
      .select(['id', 'run_id', 'engine', 'state', 'model', 'asked'])
      .select(['status', 'request', 'response', 'earlier'])
      .where('judgements.workspace_id', '=', workspaceId)
      .where('engine', '=', judge)
      .where((is) =>
        is.or([
          is('state', 'in', ['done', 'unknown']),
          is.and([is('state', '=', 'failed'), is('attempts', '>=', attemptsMax)]),
        ]),
      )
      .where('handed_at', 'is', null)
      .orderBy('id')
      .limit(answersMax)
      .execute();
    if (rows.length === 0) return count;
    const runs = await readRunsById(
      store.reader,
      workspaceId,
      rows.map(({ run_id: runId }) => runId),
    );
    const answers = new Map(runs.map((run) => [run.id, run.answer]));
    const judged = rows.flatMap((row): JudgedAnswer[] => {
      const { kind, version, subjects } = parseAsked(row.asked);
      // An earlier version's question was about other items.
      if (version !== stanceVersion) return [];
      const shown = subjects.map(({ pieces }) => pieces);
      const answer = answers.get(row.run_id) ?? '';
      const verdicts = readVerdicts(replyOf(kind, row), answer, { questionId: row.id, shown });
      return [
        {
          runId: row.run_id,
          judge: row.engine,
          model: row.model,
          version,
          subjects: subjects.map(({ id }, place) => ({
            id,
            isByRule: false,
            presentation: verdicts[place],
          })),
        },
      ];
    });
    const stored = await storeStances(store, workspaceId, judged, { clock });
    count = { judged: count.judged + stored.judged, void: count.void + stored.void };
    const handedAt = new Date(clock()).toISOString();
    const ids = rows.map(({ id }) => id);
    await ledger.write((transaction) =>
      transaction
        .updateTable('judgements')
        .set({ handed_at: handedAt })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', ids)
        .execute(),
    );
  }
}

/** What the judge replied; empty if its reply is unknown. */
function replyOf(kind: string, { state, status, request, response, earlier }: KeptReply): string {
  if (state !== 'done' || status === null || request === null || response === null) return '';
  return readStored({ kind, status, request, response, earlier }).text;
}

type KeptReply = Pick<Selectable<LedgerTables['judgements']>, 'state'> &
  Nullable<Pick<Selectable<LedgerTables['bodies']>, 'status' | 'request' | 'response' | 'earlier'>>;
type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };
