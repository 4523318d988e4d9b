import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import type { TestProject } from 'vitest/node';
import { buildProgram, bundledThread, sources, threadAddress } from '../build/bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program as it is published: it starts in half the time of its sources. */
    program: string;
  }
}

const addressVariable = 'OVERHEARD_TEST_PROGRAM';

/** Has tests start the threads of the built program. */
export const builtThreads: Plugin = {
  name: 'built-threads',
  transform: {
    filter: { id: sources, code: threadAddress },
    handler(code, id) {
      const address = `process.env['${addressVariable}'] + '/program/${bundledThread(id)}'`;
      return code.replace(threadAddress, `new URL(${address})`);
    },
  },
};

/** Builds the program for the tests that start processes or threads. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-program-'));
  // Some tests run it as another user.
  await chmod(folder, 0o755);
  const build = async () => void (await buildProgram(folder));
  await build();
  project.onTestsRerun(build);
  process.env[addressVariable] = pathToFileURL(folder).href;
  project.provide('program', join(folder, 'bin/overheard.js'));
  return () => rm(folder, { recursive: true, force: true });
}
