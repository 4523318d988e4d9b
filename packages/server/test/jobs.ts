/** Jobs in a test: a crew that is stopped after it, and the wait for a job's end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createCrew } from '../src/jobs/crew.ts';
import type { Crew, CrewDependencies } from '../src/jobs/crew.ts';
import { findJob } from '../src/jobs/jobs.ts';
import type { Job, JobKey } from '../src/jobs/jobs.ts';
import type { Store } from '../src/storage/store.ts';

/** Starts a crew; what fails in its threads fails the test. */
export function aCrew(
  { store, url }: { store: Store; url: string },
  dependencies: Partial<CrewDependencies> = {},
): Crew {
  const failures: unknown[] = [];
  const crew = createCrew({
    store,
    database: url,
    clock: Date.now,
    onFailure: (error) => failures.push(error),
    lookEveryMs: 200,
    ...dependencies,
  });
  onTestFinished(async () => {
    await crew.stop({ graceMs: 0 });
    if (failures.length > 0) throw failures[0];
  });
  return crew;
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
