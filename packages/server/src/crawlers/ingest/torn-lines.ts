import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Identity } from '../hits/identity.ts';
import { cutOut } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';

/** A hit that was made of a last line without a newline, which may have been half of a line. */
export interface TornHit {
  readonly id: string;
  /** `LENGTH:FINGERPRINT` of the line as far as it was there. */
  readonly torn: string;
}

/** Knows again lines that were read while they were torn, whatever file they stand in when whole. */
export interface TornLines {
  readonly isEmpty: boolean;
  /** Notes the hits that this line completes. */
  complete(line: WrittenLine): void;
  /** Remembers a hit that is made of a torn line. */
  tear(line: WrittenLine): string;
  remember(hit: TornHit): void;
  /** The ids of hits that were completed since the last time. */
  drain(): readonly string[];
}

/** Makes what knows torn lines again. */
export function createTornLines(known: readonly TornHit[], identity: Identity): TornLines {
  const lengths = new Map<number, TornHit[]>();
  let completed: string[] = [];
  for (const hit of known) remember(hit);
  return {
    complete,
    tear: (line) => tornOf(cutOut(line)),
    remember,
    drain,
    get isEmpty() {
      return lengths.size === 0;
    },
  };

  function remember(hit: TornHit): void {
    const length = Number.parseInt(hit.torn, 10);
    const hits = lengths.get(length);
    if (hits === undefined) lengths.set(length, [hit]);
    else hits.push(hit);
  }

  function complete(line: WrittenLine): void {
    const text = cutOut(line);
    // A fingerprint costs more than all else: there is one a length, however many lines were torn.
    for (const [length, hits] of lengths) {
      if (text.length < length) continue;
      const begun = tornOf(text.slice(0, length));
      for (const { id, torn } of hits) if (torn === begun) completed.push(id);
    }
  }

  function tornOf(text: string): string {
    return `${text.length}:${identity.fingerprint(text)}`;
  }

  function drain(): readonly string[] {
    const drained = completed;
    completed = [];
    return drained;
  }
}

/** The hits of a workspace that are made of torn lines. */
export async function readTornHits(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<readonly TornHit[]> {
  const rows = await db
    .selectFrom('log_files')
    .select(['provisional_id', 'torn'])
    .where('workspace_id', '=', workspaceId)
    .where('provisional_id', 'is not', null)
    .execute();
  return rows.flatMap(({ provisional_id: id, torn }) =>
    id === null || torn === null ? [] : { id, torn },
  );
}

/**
 * Takes back hits of torn lines that have been read whole, but for those that a whole line makes too.
 * Returns the ids of the hits that are still made of torn lines alone, and whether any was taken back.
 */
export async function settleTornHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { completed, isWhole, torn }: SettledLines,
): Promise<{ readonly left: ReadonlySet<string>; readonly hasWithdrawn: boolean }> {
  const left = new Set((await readTornHits(transaction, workspaceId)).map(({ id }) => id));
  const confirmed = [...left].filter(isWhole);
  const withdrawn = [...left].filter((id) => completed.includes(id) && !isWhole(id) && id !== torn);
  const settled = [...confirmed, ...withdrawn];
  if (withdrawn.length > 0) {
    await transaction
      .deleteFrom('hits')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', withdrawn)
      .execute();
  }
  if (settled.length > 0) {
    await transaction
      .updateTable('log_files')
      .set({ provisional_id: null, torn: null })
      .where('workspace_id', '=', workspaceId)
      .where('provisional_id', 'in', settled)
      .execute();
  }
  for (const id of settled) left.delete(id);
  return { left, hasWithdrawn: withdrawn.length > 0 };
}

interface SettledLines {
  /** Ids of hits whose lines have been completed. */
  readonly completed: readonly string[];
  /** Whether a whole line makes this hit. */
  readonly isWhole: (id: string) => boolean;
  /** The hit of the line that is torn now. */
  readonly torn: string | undefined;
}
