import { CommandError, UnavailableError } from '../../problems.ts';
import { isRefusal } from '../../refusals.ts';
import type { Refusal } from '../../refusals.ts';
import { refusalExitCode, refusalWords } from './refusals/refusal-words.ts';

/** Does the work; if it is refused, or the database fails, says also what follows from that. */
export async function withConsequence<Result>(
  work: Promise<Result>,
  { refused, unavailable }: { refused: (refusal: Refusal) => string; unavailable?: string },
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (isRefusal(error)) {
      const words = `${refusalWords(error)}\n${refused(error)}`;
      throw new CommandError(words, { exitCode: refusalExitCode(error), cause: error });
    }
    if (error instanceof UnavailableError && unavailable !== undefined) {
      throw new UnavailableError(`${error.message}\n${unavailable}`, { cause: error });
    }
    throw error;
  }
}

/** Says that an import wrote nothing, after what to do about names that it does not know. */
export function nothingImported(
  refusal: Refusal,
  adviceOf: (names: readonly string[]) => string,
): string {
  const names = 'unknown' in refusal.facts ? refusal.facts.unknown : [];
  const advice = names.length === 0 ? '' : `${adviceOf(names)}\n`;
  return `${advice}Nothing was imported.`;
}
