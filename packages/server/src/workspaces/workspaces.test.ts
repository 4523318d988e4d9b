import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { listSubjects } from './subject.ts';
import type { SubjectWords } from './words.ts';
import { createWorkspace, findWorkspace, listWorkspaces, setWorkspace } from './workspaces.ts';
import type { Workspace } from './workspaces.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

eachStore('workspaces', (open) => {
  test('a workspace is created with its brand and a revision, or not at all', async () => {
    const { store } = await open();
    const created = await createWorkspace(store, {
      slug: 'acme',
      name: '  Acme  Ltd ',
      brand: {
        name: 'Acme',
        aliases: [{ alias: 'Acme Ltd', match: 'default' }],
        domains: ['https://www.acme.com/'],
      },
      clock,
    });
    expect(created).toMatchObject({
      slug: 'acme',
      name: 'Acme Ltd',
      created_at: '2026-11-20T12:34:56.789Z',
    });
    const [brand, ...others] = await listSubjects(store.reader, created.id);
    expect(others).toEqual([]);
    expect(brand?.id).toMatch(/^[0-9a-f-]{14}7/);
    expect(brand).toMatchObject({
      subject_type: 'brand',
      name: 'Acme',
      aliases: [{ alias: 'Acme Ltd', match: 'default' }],
      domains: ['acme.com'],
      created_at: '2026-11-20T12:34:56.789Z',
      archived_at: null,
    });
    expect(await revisionOf(store, created.id)).toMatch(/^[\w-]{16}$/);

    const broken = create(store, 'broken', { brand: { name: 'B', domains: ['no domain'] } });
    await expect(broken).rejects.toThrow('domain_malformed');
    expect((await listWorkspaces(store.reader)).map(({ slug }) => slug)).toEqual(['acme']);
  });

  test('a slug belongs to one workspace', async () => {
    const { store } = await open();
    await create(store, 'acme');
    await expect(create(store, 'acme')).rejects.toThrow('slug_taken');
    const other = await create(store, 'other');
    await expect(setWorkspace(store, other, { slug: 'acme' })).rejects.toThrow('slug_taken');
    expect((await listWorkspaces(store.reader)).map(({ slug }) => slug)).toEqual(['acme', 'other']);
  });

  test('a slug that is taken while another writer looks for it is refused in the same words', async () => {
    const { store } = await open();
    const one = await create(store, 'one');
    const two = await create(store, 'two');
    let late: Promise<unknown> = Promise.resolve();
    await store.writer.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('workspaces')
        .set({ slug: 'apex' })
        .where('id', '=', one.id)
        .execute();
      late = setWorkspace(store, two, { slug: 'apex' }).catch((error: unknown) => error);
      // Wait until the other statement waits for this transaction: on PostgreSQL at the unique index.
      await setTimeout(300);
    });
    expect(await late).toMatchObject({
      code: 'slug_taken',
      facts: { slug: 'apex' },
    });
  });

  test('a slug and a name can change, and the same change again changes nothing', async () => {
    const { store } = await open();
    const created = await create(store, 'acme');
    const before = await revisionOf(store, created.id);
    expect(await setWorkspace(store, created, { slug: 'apex', name: 'Apex' })).toMatchObject({
      hasChanged: true,
      workspace: { id: created.id, slug: 'apex', name: 'Apex' },
    });
    const changed = await findWorkspace(store.reader, 'apex');
    const after = await revisionOf(store, created.id);
    expect(after).not.toBe(before);
    expect(await setWorkspace(store, changed, { slug: 'apex' })).toMatchObject({
      hasChanged: false,
    });
    expect(await revisionOf(store, created.id)).toBe(after);
  });
});

function create(
  store: Store,
  slug: string,
  { brand = { name: 'Brand' } }: { brand?: SubjectWords } = {},
): Promise<Workspace> {
  return createWorkspace(store, { slug, name: slug, brand, clock });
}

async function revisionOf(store: Store, workspaceId: string): Promise<string> {
  const row = await store.reader
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return row.revision;
}
