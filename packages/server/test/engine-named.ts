import { engines } from '../src/collect/engines/all-engines.ts';
import type { Engine } from '../src/collect/engines/engine.ts';

/** The engine of a response: what follows a comma in the name says which of its responses it is. */
export function engineNamed(name: string): Engine {
  const engine = engines.find(({ slug }) => slug === name.split(',')[0]);
  if (engine === undefined)
    throw new Error(`No engine has the slug ${name}: add it to all-engines.ts`);
  return engine;
}
