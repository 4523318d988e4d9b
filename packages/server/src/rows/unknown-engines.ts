import { engineSlugPattern } from '@overheard/contract';
import { knownEngines, misspeltEngine } from '../values/engine.ts';
import type { Faults } from './fault.ts';

/** Most slugs of one file to remember. Nobody has more engines. */
const slugsMax = 1000;

/** Collects the engines of a file that Overheard does not know. */
export class UnknownEngines {
  readonly #lines = new Map<string, number>();

  get hasAny(): boolean {
    return this.#lines.size > 0;
  }

  note(engine: unknown, line: number): void {
    if (typeof engine !== 'string' || known.has(engine) || this.#lines.has(engine)) return;
    if (engineSlugPattern.test(engine) && this.#lines.size < slugsMax)
      this.#lines.set(engine, line);
  }

  /**
   * Refuses engines that look like a misspelling, at their first line, unless `isAccepted`. Returns
   * the engines that are new to the workspace, which has those in `stored`.
   */
  check(
    stored: ReadonlySet<string>,
    { isAccepted, faults }: { isAccepted: boolean; faults: Faults },
  ): readonly string[] {
    const fresh = [...this.#lines].filter(([engine]) => !stored.has(engine));
    const familiar = new Set([...known, ...stored]);
    for (const [engine, line] of isAccepted ? [] : fresh) {
      const meant = misspeltEngine(engine, familiar);
      if (meant === undefined) continue;
      const expected = `a known engine; did you mean ${meant}? --new-engine imports it as it is written`;
      faults.add({ line, field: 'engine', expected, found: engine });
    }
    return fresh.map(([engine]) => engine).toSorted();
  }
}

const known = new Set(knownEngines);
