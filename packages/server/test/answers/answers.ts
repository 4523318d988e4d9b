/**
 * Answers for tests: `aWorkspace` makes a tenant whose subjects have fixed ids, `importRows` puts
 * answers into it through the real import.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { inWords } from '../commands/in-words.ts';
import { importAnswers } from '../../src/answers/import/import-answers.ts';
import type { ImportSummary } from '../../src/answers/import/import-answers.ts';
import type { Store } from '../../src/storage/store.ts';
import { newRevision } from '../../src/storage/write.ts';
import { idOf } from '../stores/rows.ts';

/** Now, for tests of answers. */
export const now = Date.parse('2026-11-20T12:00:00.000Z');

/** A subject of a test's workspace: the first is the brand, and ids are `idOf(1)`, `idOf(2)` ... */
export interface TestSubject {
  readonly name: string;
  readonly domain?: string;
}

const usual: readonly TestSubject[] = [
  { name: 'Acme', domain: 'acme.com' },
  { name: 'Globex', domain: 'globex.com' },
  { name: 'Initech', domain: 'initech.com' },
];

/** Makes a workspace with these subjects and returns its id. */
export async function aWorkspace(
  store: Store,
  { subjects = usual }: { subjects?: readonly TestSubject[] } = {},
): Promise<string> {
  const id = randomUUID();
  const workspace = { id, slug: `w${id.slice(0, 8)}`, name: 'Acme', created_at: '2026-01-01' };
  await store.writer.insertInto('workspaces').values(workspace).execute();
  await store.writer
    .insertInto('revisions')
    .values({ workspace_id: id, revision: newRevision() })
    .execute();
  for (const [index, subject] of subjects.entries()) {
    await addSubject(store, id, { ...subject, number: index + 1 });
  }
  return id;
}

/** Adds a subject with the id `idOf(number)`: number 1 is the brand. */
export async function addSubject(
  store: Store,
  workspaceId: string,
  { name, domain, number }: TestSubject & { number: number },
): Promise<void> {
  const owner = { workspace_id: workspaceId, subject_id: idOf(number) };
  await store.writer
    .insertInto('subjects')
    .values({
      workspace_id: workspaceId,
      id: idOf(number),
      subject_type: number === 1 ? 'brand' : 'competitor',
      name,
      created_at: '2026-01-01T00:00:00.000Z',
      archived_at: null,
    })
    .execute();
  await store.writer
    .insertInto('subject_aliases')
    .values({ ...owner, folded: name.toLowerCase(), alias: name, match: 'default' })
    .execute();
  if (domain === undefined) return;
  await store.writer
    .insertInto('subject_domains')
    .values({ ...owner, domain })
    .execute();
}

/** Imports rows as one file. */
export async function importRows(
  store: Store,
  workspaceId: string,
  rows: readonly object[],
  options: Pick<Parameters<typeof importAnswers>[1], 'acceptsNearDuplicates'> & {
    clock?: () => number;
  } = {},
): Promise<ImportSummary> {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const work = importAnswers(store, {
    workspaceId,
    source: { name: 'rows', stream: Readable.from([Buffer.from(text)]), bytesTotal: undefined },
    format: 'ndjson',
    clock: () => now,
    ...options,
  });
  return inWords(work);
}
