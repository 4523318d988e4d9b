import { isRefusal, refusalWords } from '../../src/refusals.ts';

/** Does the work; a refusal becomes an error with the words of the command line. */
export async function inWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isRefusal(error) ? new Error(refusalWords(error), { cause: error }) : error;
  }
}
