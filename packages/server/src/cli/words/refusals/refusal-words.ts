import { refusals } from '../../../refusals.ts';
import type { Refusal, RefusalCode } from '../../../refusals.ts';
import { accessWords } from './access.ts';
import { answerWords } from './answers.ts';
import { crawlerWords } from './crawlers.ts';
import { fileWords } from './files.ts';
import { peopleWords } from './people.ts';
import { storageWords } from './storage.ts';
import type { WordTable, Words } from './word-table.ts';
import { workspaceWords } from './workspaces.ts';

const words: WordTable = {
  ...workspaceWords,
  ...accessWords,
  ...peopleWords,
  ...answerWords,
  ...crawlerWords,
  ...fileWords,
  ...storageWords,
};

/** A refusal in the words of the command line. */
export function refusalWords<Code extends RefusalCode>({
  code,
  facts,
}: Pick<Refusal<Code>, 'code' | 'facts'>): string {
  const [happened, advice = ''] = refusalParts({ code, facts });
  return advice === '' || advice.startsWith('\n') ? happened + advice : `${happened} ${advice}`;
}

/** The words of a refusal in two parts: what happened, and what to do. */
export function refusalParts<Code extends RefusalCode>({
  code,
  facts,
}: Pick<Refusal<Code>, 'code' | 'facts'>): Words {
  return words[code](facts);
}

/** 2 for wrong usage, 1 for everything else. */
export function refusalExitCode({ code }: Pick<Refusal, 'code'>): 1 | 2 {
  return refusals[code].kind === 'usage' ? 2 : 1;
}
