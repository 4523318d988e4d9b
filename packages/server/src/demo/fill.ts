import { Readable } from 'node:stream';
import type { Store } from '../storage/store.ts';
import { importRows } from '../transfer/import-rows.ts';
import { resources } from '../transfer/resources.ts';
import { listSubjects } from '../workspaces/subject.ts';
import { addSubject } from '../workspaces/subjects.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { brand, competitors } from './cast.ts';
import { demoRows } from './demo-rows.ts';

/** The resources of the demo, in the order in which they are imported. */
const order = ['prompts', 'detections', 'scores', 'actions', 'hits'] as const;

/** The workspace that was filled, and the rows of each resource. */
export interface FilledDemo {
  readonly workspace: Workspace;
  readonly counts: Readonly<Record<(typeof order)[number], number>>;
  /** A prompt that has runs. */
  readonly promptId: string;
}

/**
 * Makes the demo's workspace and brings its rows in by the same door as `overheard import`.
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
  for (const name of order) {
    const resource = resources.find((known) => known.name === name);
    if (resource === undefined) throw new TypeError(`There is no resource ${name}`);
    await importRows(store, {
      workspaceId: workspace.id,
      resource,
      source: { name: `the demo's ${name}`, stream: ndjson(rows[name]), bytesTotal: undefined },
      format: 'ndjson',
      clock,
      signal,
    });
  }
  return {
    workspace,
    promptId: rows.detections.at(-1)?.prompt_id ?? '',
    counts: {
      prompts: rows.prompts.length,
      detections: rows.detections.length,
      scores: rows.scores.length,
      actions: rows.actions.length,
      hits: rows.hits.length,
    },
  };
}

function ndjson(rows: readonly object[]): Readable {
  return Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)));
}
