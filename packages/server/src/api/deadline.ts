import { UnavailableError } from '../problems.ts';

/** A client waits at most this long for the beginning of an answer. */
const deadlineMs = 9000;

/** The work's outcome, or `UnavailableError` where it takes too long. */
export async function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new UnavailableError('The answer took too long.')), deadlineMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
