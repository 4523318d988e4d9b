import { accessRefusals } from './refusals/access.ts';
import { answerRefusals } from './refusals/answers.ts';
import { copyRefusals } from './refusals/copies.ts';
import { crawlerRefusals } from './refusals/crawlers.ts';
import { fileRefusals } from './refusals/files.ts';
import { operatorListRefusals } from './refusals/operator-lists.ts';
import { peopleRefusals } from './refusals/people.ts';
import { storageRefusals } from './refusals/storage.ts';
import { workspaceRefusals } from './refusals/workspaces.ts';
import type { Words } from './refusals/define.ts';

/**
 * Every reason for which a flow refuses its work: what happened and what to do, in the words of the
 * command line, from the facts.
 */
export const refusals = {
  ...workspaceRefusals,
  ...accessRefusals,
  ...peopleRefusals,
  ...answerRefusals,
  ...crawlerRefusals,
  ...operatorListRefusals,
  ...fileRefusals,
  ...storageRefusals,
  ...copyRefusals,
} as const;

export type RefusalCode = keyof typeof refusals;

/** The facts of each refusal. */
export type RefusalFacts = {
  readonly [Code in RefusalCode]: Parameters<(typeof refusals)[Code]['words']>[0];
};

/** A flow refuses its work. What it was asked for was not done. */
export class Refusal<Code extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  readonly facts: RefusalFacts[Code];

  constructor(code: Code, facts: RefusalFacts[Code], { cause }: { cause?: unknown } = {}) {
    super(code, { cause });
    this.code = code;
    this.facts = facts;
  }
}

/** Use this instead of `instanceof`, which loses the types of the facts. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

/** The same list, in the form that lets the facts of a code go to its own words. */
const entries: {
  readonly [Code in RefusalCode]: { words(facts: RefusalFacts[Code]): Words };
} = refusals;

/** A refusal in words. */
export function refusalWords(refusal: Pick<Refusal, 'code' | 'facts'>): string {
  const [happened, advice = ''] = refusalParts(refusal);
  return advice === '' || advice.startsWith('\n') ? happened + advice : `${happened} ${advice}`;
}

/** The words of a refusal in two parts: what happened, and what to do. */
export function refusalParts<Code extends RefusalCode>({
  code,
  facts,
}: Pick<Refusal<Code>, 'code' | 'facts'>): Words {
  return entries[code].words(facts);
}

/** The exit code of a refused command: 2 for wrong usage, 1 for everything else. */
export function refusalExitCode({ code }: Pick<Refusal, 'code'>): 1 | 2 {
  return refusals[code].kind === 'usage' ? 2 : 1;
}
