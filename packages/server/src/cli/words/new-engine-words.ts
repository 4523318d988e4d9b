import { knownEngines } from '../../values/engine.ts';

/** For the help of commands that import engines. */
export const engineHelp = `
Known engines: ${knownEngines.join(', ')}.
Others may be imported too, and are reported. A slug that is almost a known one, or almost one of
the workspace's, is refused unless --new-engine is given.`;

/** A sentence about engines that are new; false if there are none. */
export function newEngineWords(engines: readonly string[]): string | false {
  if (engines.length === 0) return false;
  const [noun, them] = engines.length === 1 ? ['engine', 'it'] : ['engines', 'them'];
  return `New ${noun}: ${engines.join(', ')}. Overheard counts ${them} separately from all others. Check the spelling.`;
}
