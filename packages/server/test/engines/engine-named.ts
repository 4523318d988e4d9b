import { engines } from '../../src/collect/engines/all-engines.ts';
import type { Engine } from '../../src/collect/engines/engine.ts';

/**
 * The engine of a named response. The name is the engine's slug, with a comma and a word if it has
 * several responses.
 */
export function engineNamed(name: string): Engine {
  const engine = engines.find(({ slug }) => slug === name.split(',')[0]);
  if (engine === undefined)
    throw new Error(`No engine has the slug ${name}: add it to all-engines.ts`);
  return engine;
}
