import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Updateable } from 'kysely';
import { replaceAnswers } from '../answers/import/replace-answers.ts';
import { inChunks } from '../storage/chunks.ts';
import type { LedgerTables } from '../storage/schema.ts';
import type { Ledger, Store } from '../storage/store.ts';
import type { EngineAnswer } from './engines/engine.ts';
import { handOver, notImportable } from './ledger/hand-over.ts';
import { requireLedger } from './ledger/require-ledger.ts';
import { selectDone, toAnswerRow } from './ledger/stored-answer.ts';

/** Most readings in one query, because their bodies are held in memory. */
const readingsMax = 100;
const idsMax = 128;

interface RereadOptions {
  readonly workspaceId: string;
  /** Whether to write nothing and only return what would be replaced. */
  readonly isDryRun: boolean;
  readonly examplesMax: number;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onRead: (responses: number) => void;
}

/** The effect of reading stored responses again, done or planned. */
export type Rereading = Awaited<ReturnType<typeof replaceAnswers>> & {
  /** Number of responses that were read. */
  readonly read: number;
  /** New runs of answers that an import had refused before and accepts now. */
  readonly runs: number;
};

/**
 * Reads the stored responses of a workspace with this version, and replaces answers for which it
 * gives a different result. Asks no engine. The booked cost of an answer stays.
 */
export async function reread(store: Store, options: RereadOptions): Promise<Rereading> {
  const { workspaceId, isDryRun, examplesMax, clock, signal, onRead } = options;
  const ledger = await requireLedger(store);
  const outdated: OutdatedFacts[] = [];
  let read = 0;
  let latestMs = 0;
  const result = await replaceAnswers(store, {
    workspaceId,
    source: { name: 'readings', stream: Readable.from(lines()), bytesTotal: undefined },
    isDryRun,
    examplesMax,
    signal,
    // The clock may have been set back since, but a run must not be later than now.
    clock: () => Math.max(clock(), latestMs),
  });
  if (isDryRun) return { ...result, read, runs: 0 };
  await updateFacts(ledger, workspaceId, outdated);
  await takeUp(ledger, workspaceId);
  const { runs } = await handOver(store, ledger, { workspaceId, clock });
  return { ...result, read, runs };

  async function* lines(): AsyncGenerator<Buffer> {
    for await (const readings of readAll(ledger, workspaceId)) {
      for (const reading of readings) {
        const { answer, row } = toAnswerRow(reading);
        const facts = factsOf(answer);
        const { model, searches, outcome } = reading;
        if (!isDeepStrictEqual(facts, { model, searches, outcome }))
          outdated.push({ id: reading.id, facts });
        latestMs = Math.max(latestMs, Date.parse(reading.sent_at ?? ''));
        yield Buffer.from(`${JSON.stringify(row)}\n`);
      }
      read += readings.length;
      onRead(read);
    }
  }
}

type Facts = Pick<Updateable<LedgerTables['readings']>, 'model' | 'searches' | 'outcome'>;

interface OutdatedFacts {
  readonly id: string;
  readonly facts: Facts;
}

function factsOf({ model, searches, outcome }: EngineAnswer): Facts {
  return { model, searches, outcome };
}

async function* readAll(ledger: Ledger, workspaceId: string) {
  for (let last = ''; ;) {
    const readings = await selectDone(ledger, workspaceId)
      .select(['model', 'searches', 'outcome'])
      .where('handed_at', 'is not', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(readingsMax)
      .execute();
    last = readings.at(-1)?.id ?? '';
    if (last === '') return;
    yield readings;
  }
}

/**
 * Updates the facts that the status shows. If the process is killed before this, the next reread
 * does it.
 */
async function updateFacts(
  ledger: Ledger,
  workspaceId: string,
  outdated: readonly OutdatedFacts[],
): Promise<void> {
  for (const chunk of inChunks(outdated, idsMax)) {
    await ledger.write(async (transaction) => {
      for (const { id, facts } of chunk) {
        await transaction
          .updateTable('readings')
          .set(facts)
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .execute();
      }
    });
  }
}

/** Marks answers that the import has refused, so that they are imported again. */
async function takeUp(ledger: Ledger, workspaceId: string): Promise<void> {
  await ledger.write((transaction) =>
    transaction
      .updateTable('readings')
      .set({ handed_at: null, fault: null })
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'done')
      .where('fault', '=', notImportable)
      .execute(),
  );
}
