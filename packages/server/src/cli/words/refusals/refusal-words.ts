import { refusals } from '../../../refusals.ts';
import type { Refusal, RefusalCode, RefusalFacts } from '../../../refusals.ts';
import { accessWords } from './access.ts';
import { answerWords } from './answers.ts';
import { fileWords } from './files.ts';
import { storageWords } from './storage.ts';
import { workspaceWords } from './workspaces.ts';

/** What happened, and what to do about it: that follows a space, or stands on a line of its own. */
export type Words = readonly [happened: string, advice?: string];

/** The words of each refusal, made from its facts. */
export type WordTable = {
  readonly [Code in RefusalCode]: (facts: RefusalFacts[Code]) => Words;
};

const words: WordTable = {
  ...workspaceWords,
  ...accessWords,
  ...answerWords,
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

/** The same in its two parts. */
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
