import { refusalExitCode, refusalWords } from '../../src/cli/words/refusals/refusal-words.ts';
import { refusals } from '../../src/refusals.ts';
import type { RefusalCode } from '../../src/refusals.ts';
import { accessCases } from './access.ts';
import { answerCases } from './answers.ts';
import type { RefusalCases } from './case.ts';
import { crawlerCases } from './crawlers.ts';
import { fileCases } from './files.ts';
import { backupCases } from './backup.ts';
import { serverCases } from './server.ts';
import { databaseCases } from './database.ts';
import { unavailableCases } from './unavailable.ts';
import { peopleCases } from './people.ts';
import { workspaceCases } from './workspaces.ts';

/** One case for each code of the list, and no other. */
export const refusalCases: RefusalCases = {
  ...workspaceCases,
  ...accessCases,
  ...peopleCases,
  ...answerCases,
  ...crawlerCases,
  ...fileCases,
  ...databaseCases,
  ...backupCases,
  ...serverCases,
  ...unavailableCases,
};

export const refusalCodes: readonly RefusalCode[] = Object.keys(refusals).filter(isCode);

/** What the command line says to a case, and its exit code. */
export function sayingOf(code: RefusalCode, folder: string): { words: string; exitCode: 1 | 2 } {
  const words = refusalWords({ code, facts: refusalCases[code].facts(folder) });
  return { words, exitCode: refusalExitCode({ code }) };
}

function isCode(name: string): name is RefusalCode {
  return Object.hasOwn(refusals, name);
}
