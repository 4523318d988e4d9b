import type { NamesOfCounts } from '../../storage/counts/packed-counts.ts';

/**
 * Numbers prompts in the order in which they occur, because adding up arrays is faster than adding
 * up maps.
 */
export interface Numbering {
  /** Ids, by number. */
  readonly ids: readonly string[];
  /** The numbers of the prompts of a row, looked up once for all rows with the same names. */
  readonly of: (names: NamesOfCounts) => readonly number[];
}

/** Makes an empty numbering. */
export function createNumbering(): Numbering {
  const ids: string[] = [];
  const numbers = new Map<string, number>();
  const numbersOf = new WeakMap<NamesOfCounts, readonly number[]>();
  return { ids, of };

  function of(names: NamesOfCounts): readonly number[] {
    const promptNumbers = numbersOf.get(names) ?? names.prompts.map(numberOf);
    numbersOf.set(names, promptNumbers);
    return promptNumbers;
  }

  function numberOf(id: string): number {
    const number = numbers.get(id) ?? ids.push(id) - 1;
    numbers.set(id, number);
    return number;
  }
}
