import { refusalExitCode, refusalWords } from '../../src/refusals.ts';
import { accessCases } from './access.ts';
import { answerCases } from './answers.ts';
import { crawlerCases } from './crawlers.ts';
import { fileCases } from './files.ts';
import { backupCases } from './backup.ts';
import { serverCases } from './server.ts';
import { databaseCases } from './database.ts';
import type { RefusalCase } from './case.ts';
import { unavailableCases } from './unavailable.ts';
import { peopleCases } from './people.ts';
import { workspaceCases } from './workspaces.ts';

/** Of each refusal that guards data, money or privacy, a case that provokes it. */
const refusalCases = {
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

type GuardCode = keyof typeof refusalCases;

export const guardCodes: readonly GuardCode[] = Object.keys(refusalCases).filter(isGuard);

export function caseOf(code: GuardCode): RefusalCase<GuardCode> {
  return refusalCases[code];
}

/** What the command line says to a case, and its exit code. */
export function sayingOf(code: GuardCode, folder: string): { words: string; exitCode: 1 | 2 } {
  const words = refusalWords({ code, facts: caseOf(code).facts(folder) });
  return { words, exitCode: refusalExitCode({ code }) };
}

function isGuard(name: string): name is GuardCode {
  return Object.hasOwn(refusalCases, name);
}
