import { isRefusal, refusalExitCode, refusalWords } from '../../refusals.ts';
import type { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { isUnavailable } from '../../storage/unavailable.ts';
import { CommandError } from '../terminal/command-error.ts';

/**
 * Does the work. If it is refused, adds a sentence about the consequence, with a different one if
 * the database failed.
 */
export async function withConsequence<Result>(
  { mapFailure }: Pick<Store, 'mapFailure'>,
  work: Promise<Result>,
  { onRefusal, unavailable }: { onRefusal: (refusal: Refusal) => string; unavailable?: string },
): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    const error = mapFailure(thrown);
    if (!isRefusal(error)) throw error;
    const consequence = isUnavailable(error) ? unavailable : onRefusal(error);
    if (consequence === undefined) throw error;
    const words = `${refusalWords(error)}\n${consequence}`;
    throw new CommandError(words, { exitCode: refusalExitCode(error), cause: error });
  }
}

/** Adds that an import wrote nothing, after the advice about unknown names. */
export function nothingImported(
  refusal: Refusal,
  adviceOf: (names: readonly string[]) => string,
): string {
  const names = 'unknown' in refusal.facts ? refusal.facts.unknown : [];
  const advice = names.length === 0 ? '' : `${adviceOf(names)}\n`;
  return `${advice}Nothing was imported.`;
}
