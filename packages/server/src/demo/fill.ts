import { Readable } from 'node:stream';
import { importAnswers } from '../answers/import/import-answers.ts';
import type { Source } from '../rows/source.ts';
import type { Store } from '../storage/store.ts';
import { importRows } from '../transfer/import-rows.ts';
import { prompts as promptRows } from '../transfer/resources/prompts.ts';
import { countWorkspace } from '../workspaces/removal.ts';
import type { WorkspaceCounts } from '../workspaces/removal.ts';
import { listSubjects } from '../workspaces/subject.ts';
import { addSubject } from '../workspaces/subjects.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { createCalendar } from './calendar.ts';
import { brand, competitors } from './cast.ts';
import { demoRows } from './demo-rows.ts';
import { fillHits } from './fill-hits.ts';
import { reviewDemo } from './review.ts';

/** The workspace that was filled, and how much it has. */
export interface FilledDemo {
  readonly workspace: Workspace;
  readonly counts: WorkspaceCounts;
  /** A prompt that has runs. */
  readonly promptId: string;
}

/**
 * Makes the demo's workspace. All of it comes in by the same doors as an operator's: prompts as rows,
 * requests of
 * crawlers as lines of a log; and from raw answers all else follows.
 */
export async function fillDemo(
  store: Store,
  { clock, signal }: { clock: () => number; signal: AbortSignal },
): Promise<FilledDemo> {
  const words = ({ name, domains }: typeof brand) => ({ name, domains });
  const workspace = await createWorkspace(store, {
    slug: 'demo',
    name: 'Demo',
    brand: words(brand),
    clock,
  });
  for (const competitor of competitors) {
    await addSubject(store, workspace.id, { words: words(competitor), clock });
  }
  const rows = demoRows(await listSubjects(store.reader, workspace.id), clock());
  const shared = { workspaceId: workspace.id, format: 'ndjson', clock, signal } as const;
  await importRows(store, { ...shared, resource: promptRows, source: ndjson(rows.prompts) });
  await fillHits(store, workspace.id, { log: rows.log, clock, signal });
  await importAnswers(store, { ...shared, source: ndjson(rows.answers) });
  await reviewDemo(store, workspace.id, createCalendar(clock()));
  return {
    workspace,
    promptId: rows.answers.at(-1)?.prompt_id ?? '',
    counts: await countWorkspace(store, workspace.id),
  };
}

function ndjson(rows: readonly object[]): Source {
  const stream = Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
  return { name: "the demo's rows", stream, bytesTotal: undefined };
}
