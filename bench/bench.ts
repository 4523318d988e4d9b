/** What benches share: databases, tables, and small statistics. */
import { join } from 'node:path';
import { execute, startPostgres } from '../packages/server/test/stores/postgres.ts';

/** Where a bench works, and how much it measures. */
export interface Place {
  /** A temporary folder of its own. */
  readonly folder: string;
  /** How many of the full number this run measures: all of them, unless `--size` says less. */
  scaled(count: number): number;
  /** Adds a table or a sentence to the section. */
  add(text: string): void;
}

/** One section of docs/performance.md. */
export interface Bench {
  readonly title: string;
  /** Says what is measured. */
  about(place: Pick<Place, 'scaled'>): string;
  measure(place: Place): Promise<void>;
}

export type Dialect = 'SQLite' | 'PostgreSQL';

/** Does work with new databases, each named once. A PostgreSQL server ends with the work. */
export async function withDatabases(
  dialect: Dialect,
  folder: string,
  work: (create: (name: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  if (dialect === 'SQLite') return work(async (name) => `file:${join(folder, `${name}.db`)}`);
  const server = await startPostgres();
  try {
    await work(async (name) => {
      await execute(server.url, `create database bench_${name}`);
      return server.url.replace(/postgres$/, `bench_${name}`);
    });
  } finally {
    await server.stop();
  }
}

/** Cells of a table's row. */
export type Cells = ReadonlyArray<string | number>;

/** A Markdown table. Numbers of 100 and more are printed without decimals. */
export function table(head: readonly string[], rows: readonly Cells[]): string {
  const cell = (value: string | number): string =>
    typeof value === 'string'
      ? value
      : value.toLocaleString('en-US', {
          maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
        });
  const line = (cells: Cells): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A share as a percentage. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** The value in the middle; of an even number of values the upper one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Does work, and measures it in milliseconds. */
export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedMs };
}

/** Numbers from 0 to 1, the same for the same seed. Mulberry32: https://github.com/cprosche/mulberry32 */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
