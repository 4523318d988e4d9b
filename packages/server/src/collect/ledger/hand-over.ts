import { Readable } from 'node:stream';
import { importAnswers } from '../../answers/import/import-answers.ts';
import { isRefusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { selectDone, toAnswerRow } from './stored-answer.ts';
import type { StoredReading } from './stored-answer.ts';

/** The fault of a reading whose answer the import refuses. */
export const notImportable = 'not_importable';

/** Most readings in one import. Each import is one transaction, and other writers wait for it. */
const readingsMax = 100;

/**
 * Imports the answers of finished readings like any other answers. A run has its reading's id, so
 * doing it again changes nothing. Returns the numbers of new runs and of answers that this process
 * refused.
 */
export async function handOver(
  store: Store,
  ledger: Ledger,
  options: HandOverOptions,
): Promise<HandedOver> {
  for (let count: HandedOver = { runs: 0, refused: 0 }; ;) {
    const readings = await readDone(ledger, options.workspaceId);
    if (readings.length === 0) return count;
    count = sum(count, await give(store, ledger, readings, options));
  }
}

type HandedOver = Readonly<Record<'runs' | 'refused', number>>;

function sum(left: HandedOver, right: HandedOver): HandedOver {
  return { runs: left.runs + right.runs, refused: left.refused + right.refused };
}

interface HandOverOptions {
  readonly workspaceId: string;
  readonly clock: () => number;
}

/**
 * Imports answers. Halves the list until a refused answer is alone, so that it does not block the
 * others.
 */
async function give(
  store: Store,
  ledger: Ledger,
  readings: readonly StoredReading[],
  options: HandOverOptions,
): Promise<HandedOver> {
  try {
    const runs = await importReadings(store, readings, options);
    await markHanded(ledger, readings, options, {});
    return { runs, refused: 0 };
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'rows_invalid') throw error;
    if (readings.length === 1) {
      await markHanded(ledger, readings, options, { fault: notImportable });
      return { runs: 0, refused: 1 };
    }
    const half = Math.ceil(readings.length / 2);
    const first = await give(store, ledger, readings.slice(0, half), options);
    return sum(first, await give(store, ledger, readings.slice(half), options));
  }
}

async function importReadings(
  store: Store,
  readings: readonly StoredReading[],
  { workspaceId, clock }: HandOverOptions,
): Promise<number> {
  const rows = readings.map((reading) => JSON.stringify(toAnswerRow(reading).row));
  const latestMs = Math.max(...readings.map(({ sent_at: at }) => Date.parse(at ?? '')));
  const { runs } = await importAnswers(store, {
    workspaceId,
    source: {
      name: 'readings',
      stream: Readable.from([Buffer.from(rows.join('\n'))]),
      bytesTotal: undefined,
    },
    format: 'ndjson',
    isReadings: true,
    acceptsNearDuplicates: true,
    acceptsNewEngines: true,
    // The clock may have been set back since the answer arrived.
    clock: () => Math.max(clock(), latestMs),
  });
  return runs.new;
}

async function markHanded(
  ledger: Ledger,
  readings: readonly StoredReading[],
  { workspaceId, clock }: HandOverOptions,
  more: { readonly fault?: string },
): Promise<void> {
  const ids = readings.map(({ id }) => id);
  await ledger.write((transaction) =>
    transaction
      .updateTable('readings')
      .set({ handed_at: new Date(clock()).toISOString(), ...more })
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids)
      .execute(),
  );
}

function readDone(ledger: Ledger, workspaceId: string): Promise<StoredReading[]> {
  return selectDone(ledger, workspaceId)
    .where('handed_at', 'is', null)
    .limit(readingsMax)
    .execute();
}
