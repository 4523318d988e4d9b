import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRefusal, refusalExitCode, refusalWords } from '../../src/refusals.ts';
import type { RefusalCode, RefusalFacts } from '../../src/refusals.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { builtProgram, spawnCommand } from '../commands/spawn-command.ts';
import type { Outcome } from '../commands/command-line.ts';

/** How a refusal is provoked, and the facts that it must have. */
export interface RefusalCase<Code extends RefusalCode> {
  /** Given the folder of the test. An id that differs from run to run is `anyId`. */
  readonly facts: (folder: string) => RefusalFacts[Code];
  /** Whether it can be provoked here; true unless said. */
  readonly isPossible?: boolean;
  /** Returns what the refused command printed. */
  readonly provoke: (place: Place) => Promise<Outcome>;
}

/** What a case may use. */
export interface Place {
  readonly folder: string;
  /** URL of an embedded database in the folder, which does not exist yet. */
  readonly url: string;
  /** Runs one command line on that database. */
  readonly run: (...args: string[]) => Promise<Outcome>;
}

export type RefusalCases = {
  readonly [Code in RefusalCode]?: RefusalCase<Code>;
};

/** Stands for every id in what is compared. */
export const anyId = '01930a4e-7b00-7c3d-9e7a-5f1b2c3d4e5f';

/** What the command line would print if `work`, a part of a flow, is refused: for what no command can be made to meet. */
export async function refusedIn(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { code: refusalExitCode(error), stdout: '', stderr: refusalWords(error) };
  }
  return { code: 0, stdout: '', stderr: 'It was not refused.' };
}

/** The same of work in the database of a place. */
export async function inStore(
  place: Place,
  work: (store: Store) => Promise<void>,
): Promise<Outcome> {
  const store = await openStore(place.url, { mayCreate: true });
  try {
    return await refusedIn(work(store));
  } finally {
    await store.close();
  }
}

/** Root may write everything, so a command that must not write runs as a user who owns nothing. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

/** Whether `runReadingOnly` can run: the tree may lie where only root may look. */
export const canRunReadingOnly: boolean =
  process.platform !== 'win32' &&
  (nobody === undefined ||
    spawnSync(process.execPath, [builtProgram(), '--version'], {
      uid: nobody,
      gid: nobody,
      env: {},
    }).status === 0);

/** Runs one command line as a process whose user may only read `folder` and what is in it. */
export async function runReadingOnly(folder: string, ...args: string[]): Promise<Outcome> {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
  try {
    return await spawnCommand(args, { user: nobody }).ended;
  } finally {
    chmodSync(folder, 0o700);
  }
}

/** Creates the workspace `acme` with the brand Acme. */
export function createAcme({ run }: Place, ...more: string[]): Promise<Outcome> {
  return run('workspace', 'create', 'acme', '--name', 'Acme Ltd', '--brand', 'Acme', ...more);
}

/** Creates the workspace `acme`, then runs one command in it. */
export async function runInAcme(place: Place, ...args: string[]): Promise<Outcome> {
  await createAcme(place);
  return place.run(...args, '--workspace', 'acme');
}
