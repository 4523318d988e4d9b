import { CommandError } from '../../problems.ts';

/** A command line that means nothing: it is printed as one sentence that says what to do, and ends with 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, { exitCode: 2 });
  }
}
