/**
 * Makes a function that gathers what is asked until `schedule` lets it answer, and then answers all
 * of it at once: what one transaction costs is shared by everybody who waits. Nobody is answered out
 * of a state that is older than the question. A failure is everybody's.
 */
export function coalesce<Asked, Answer>(
  answerAll: (asked: readonly Asked[]) => readonly Answer[] | Promise<readonly Answer[]>,
  schedule: (flush: () => void) => void,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];

  return function ask(asked) {
    return new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (waiting.length === 1) schedule(() => void flush());
    });
  };

  async function flush(): Promise<void> {
    const gathered = waiting;
    waiting = [];
    try {
      const answers = await answerAll(gathered.map(({ asked }) => asked));
      for (const [place, answer] of answers.entries()) gathered[place]?.resolve(answer);
    } catch (error) {
      for (const { reject } of gathered) reject(error);
    }
  }
}

interface Waiting<Asked, Answer> {
  readonly asked: Asked;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
