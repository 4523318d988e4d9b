import { environment } from '../config.ts';
import { runCli } from './run-cli.ts';
import type { ProcessIo } from './run-cli.ts';
import { programCommand } from './terminal/program-command.ts';

/** How the program was started, which only the main thread of a process knows. */
export interface Start {
  /** The program's file as it was named: `process.argv[1]`. */
  readonly script: string;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
}

/** Runs a command line with the streams of this thread. Returns its exit code. */
export function runHere(
  args: readonly string[],
  {
    start: { script, ...terminal },
    ...control
  }: { readonly start: Start } & Pick<ProcessIo, 'signal' | 'stopWithin'>,
): Promise<number> {
  return runCli(args, {
    ...terminal,
    ...control,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    program: programCommand({
      script,
      node: process.execPath,
      folder: process.cwd(),
      env: environment,
    }),
    clock: Date.now,
    fetch: globalThis.fetch,
    environment,
  });
}
