import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildProgram } from '../build/bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program as it is published: it starts in half the time of its sources. */
    program: string;
  }
}

/** Builds the program for the tests that start processes. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-program-'));
  // Some tests run it as another user.
  await chmod(folder, 0o755);
  await buildProgram(folder);
  project.provide('program', join(folder, 'bin/overheard.js'));
  return () => rm(folder, { recursive: true, force: true });
}
