import { knownEngines, misspeltEngine } from '../values/engine.ts';
import type { Faults } from './fault.ts';

/**
 * Refuses engines that Overheard does not know and that look like a misspelling, at the line that
 * `lines` has for each, unless `isAccepted`. Returns the engines that are new to the workspace,
 * which has those in `stored`.
 */
export function checkUnknownEngines(
  lines: ReadonlyMap<string, number>,
  {
    stored,
    isAccepted,
    faults,
  }: { stored: ReadonlySet<string>; isAccepted: boolean; faults: Faults },
): readonly string[] {
  const fresh = [...lines].filter(([engine]) => !stored.has(engine));
  const familiar = new Set([...knownEngines, ...stored]);
  for (const [engine, line] of isAccepted ? [] : fresh) {
    const meant = misspeltEngine(engine, familiar);
    if (meant === undefined) continue;
    const expected = `a known engine; did you mean ${meant}? --new-engine imports it as it is written`;
    faults.add({ line, field: 'engine', expected, found: engine });
  }
  return fresh.map(([engine]) => engine).toSorted();
}
