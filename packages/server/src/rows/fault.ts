import { Refusal } from '../refusals.ts';
import type { FileFault } from '../refusals/files.ts';

/** What is wrong at one place of a file. */
export interface Fault extends FileFault {
  /** Whether the field's name is unknown. */
  readonly isUnknown?: boolean;
}

/** Most faults to show of one file, those of its first lines. The others are counted. */
const shownMax = 20;

/** Collects the faults of a file, so that a person sees all of them at once. */
export class Faults {
  readonly #shown: Fault[] = [];
  readonly #unknown = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(fault: Fault): void {
    this.#count += 1;
    if (fault.isUnknown === true && fault.field !== undefined && this.#unknown.size < shownMax) {
      this.#unknown.add(fault.field);
    }
    // Faults come in any order, because rows are checked in several steps and written by id.
    const place = this.#shown.findLastIndex(({ line }) => line <= fault.line) + 1;
    this.#shown.splice(place, 0, fault);
    if (this.#shown.length > shownMax) this.#shown.pop();
  }

  /** Throws a `Refusal` that lists the faults, if there are any. */
  refuse(file: string): void {
    if (this.#count === 0) return;
    const hiddenCount = this.#count - this.#shown.length;
    throw new Refusal('rows_invalid', {
      file,
      faults: this.#shown,
      hidden: hiddenCount,
      unknown: [...this.#unknown],
    });
  }
}

/** The refusal of a file for one fault, which ends its reading. */
export function rowsInvalid(file: string, fault: Fault, options?: { cause?: unknown }): Refusal {
  return new Refusal('rows_invalid', { file, faults: [fault], hidden: 0, unknown: [] }, options);
}

/** The first unknown field names, each once. */
export function unknownNames(faults: readonly Fault[]): string[] {
  const names = faults.flatMap(({ field, isUnknown }) =>
    isUnknown === true && field !== undefined ? [field] : [],
  );
  return [...new Set(names)].slice(0, shownMax);
}
