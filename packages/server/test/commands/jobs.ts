/** Jobs in a test: a runner that is stopped after it, and the wait for a job's end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createJobRunner } from '../../src/jobs/job-runner.ts';
import type { JobRunner, JobRunnerDependencies } from '../../src/jobs/job-runner.ts';
import { findJob } from '../../src/jobs/jobs.ts';
import type { Job, JobKey } from '../../src/jobs/jobs.ts';
import type { Store } from '../../src/storage/store.ts';

/** Starts a runner; what fails in its threads fails the test. */
export function aRunner(
  { store, url }: { store: Store; url: string },
  dependencies: Partial<JobRunnerDependencies> = {},
): JobRunner {
  const failures: unknown[] = [];
  const runner = createJobRunner({
    store,
    database: url,
    clock: Date.now,
    onFailure: (error) => failures.push(error),
    lookEveryMs: 200,
    ...dependencies,
  });
  onTestFinished(async () => {
    await runner.stop({ graceMs: 0 });
    if (failures.length > 0) throw failures[0];
  });
  return runner;
}

/** Waits until a job is in a state, its end unless said. */
export async function reached(
  store: Store,
  key: JobKey,
  states: ReadonlyArray<Job['state']> = ['done', 'failed'],
): Promise<Job> {
  for (;;) {
    const job = await findJob(store.access, key);
    if (job !== undefined && states.includes(job.state)) return job;
    await sleep(50);
  }
}
