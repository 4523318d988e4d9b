/** 1 for a failure, 2 for wrong usage, 130 if a person interrupted the command. */
type ExitCode = 1 | 2 | 130;

/** A failure that the command line prints as one sentence, and its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(
    message: string,
    { exitCode = 1, cause }: { exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Wrong usage of the command line, printed as one sentence with the advice. The exit code is 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, { exitCode: 2 });
  }
}
