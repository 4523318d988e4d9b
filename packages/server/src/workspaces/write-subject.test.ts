import { expect, test } from 'vitest';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import type { SubjectChange } from './subject-change.ts';
import { findSubject, listSubjects } from './subject.ts';
import type { SubjectWords } from './words.ts';
import { addSubject, removeSubject, setSubject } from './write-subject.ts';
import { createWorkspace } from './workspaces.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

eachStore('subjects', (open) => {
  test('a name, alias or domain of another subject is refused, and the other is named', async () => {
    const { add, set, list } = await workspace(await open());
    await add({
      name: 'Globex',
      aliases: [{ alias: 'GBX', match: 'default' }],
      domains: ['globex.com'],
    });
    await expect(add({ name: 'ＧＬＯＢＥＸ' })).rejects.toMatchObject(
      taken('alias', 'Globex', 'Globex'),
    );
    await expect(add({ name: 'gbx' })).rejects.toMatchObject(taken('alias', 'GBX', 'Globex'));
    const exact = add({ name: 'Other', aliases: [{ alias: 'acme', match: 'exact' }] });
    await expect(exact).rejects.toMatchObject(taken('alias', 'Acme', 'Acme'));
    const domain = add({ name: 'Other', domains: ['http://WWW.globex.com/x'] });
    await expect(domain).rejects.toMatchObject(taken('domain', 'globex.com', 'Globex'));
    const moved = set('Acme', { addDomains: ['globex.com'] });
    await expect(moved).rejects.toMatchObject(taken('domain', 'globex.com', 'Globex'));
    const renamed = set('Acme', { name: 'gbx' });
    await expect(renamed).rejects.toMatchObject(taken('alias', 'GBX', 'Globex'));
    expect(await list()).toEqual(['Acme', 'Globex']);
  });

  test('the words of another workspace are free', async () => {
    const opened = await open();
    const one = await workspace(opened);
    const two = await workspace(opened, 'two');
    await one.add({ name: 'Globex', domains: ['globex.com'] });
    await two.add({ name: 'Globex', domains: ['globex.com'] });
    expect(await two.list()).toEqual(['Acme', 'Globex']);
    await expect(two.find((await one.find('Globex')).id)).rejects.toThrow('subject_not_found');
  });

  test('a subject is found by id, name or alias in any case, and an unknown name gets the nearest one', async () => {
    const { add, find } = await workspace(await open());
    const { id } = await add({ name: 'Globex', aliases: [{ alias: 'GBX', match: 'exact' }] });
    for (const word of [id, id.toUpperCase(), 'globex', ' GLOBEX', 'gbx']) {
      expect((await find(word)).id).toBe(id);
    }
    await expect(find('Globx')).rejects.toMatchObject({
      code: 'subject_not_found',
      facts: { subject: 'Globx', nearest: 'Globex' },
    });
  });

  test('a list that is given replaces the whole list; additions and removals change it', async () => {
    const { add, set } = await workspace(await open());
    await add({
      name: 'Globex',
      aliases: [
        { alias: 'GBX', match: 'exact' },
        { alias: 'Globex Corp', match: 'default' },
      ],
      domains: ['globex.com'],
    });
    const replaced = await set('Globex', { aliases: [{ alias: 'glo+bex', match: 'pattern' }] });
    expect(replaced.subject).toMatchObject({
      aliases: [{ alias: 'glo+bex', match: 'pattern' }],
      domains: ['globex.com'],
    });
    const changed = await set('Globex', {
      addAliases: [{ alias: 'GBX', match: 'default' }],
      removeAliases: ['glo+bex'],
      addDomains: ['globex.org'],
      removeDomains: ['https://globex.com'],
    });
    expect(changed.subject).toMatchObject({
      aliases: [{ alias: 'GBX', match: 'default' }],
      domains: ['globex.org'],
    });
    await expect(set('Globex', { removeAliases: ['GBY'] })).rejects.toMatchObject({
      code: 'subject_word_not_found',
      facts: { list: 'alias', word: 'GBY', nearest: 'GBX' },
    });
    const emptied = await set('Globex', { aliases: [], domains: [] });
    expect(emptied.subject).toMatchObject({ aliases: [], domains: [] });
  });

  test('a renamed subject keeps its id, and its old name is free', async () => {
    const { add, set, find } = await workspace(await open());
    const brand = await find('Acme');
    const { subject } = await set('Acme', { name: 'Apex' });
    expect(subject).toMatchObject({ id: brand.id, name: 'Apex', subject_type: 'brand' });
    await add({ name: 'Acme' });
    expect((await find('acme')).id).not.toBe(brand.id);
  });

  test('every change draws a revision; the same words again draw none', async () => {
    const { add, set, remove, revision } = await workspace(await open());
    const seen = [await revision()];
    await add({ name: 'Globex', aliases: [{ alias: 'GBX', match: 'exact' }] });
    seen.push(await revision());
    await set('Globex', { name: 'Globex 2' });
    seen.push(await revision());
    await remove('GBX');
    seen.push(await revision());
    expect(new Set(seen).size).toBe(4);
    const same = await set('Acme', {
      name: ' Acme ',
      aliases: [{ alias: 'acme', match: 'default' }],
    });
    expect(same.hasChanged).toBe(false);
    expect(await revision()).toBe(seen.at(-1));
  });

  test('a removed competitor keeps its row and frees its words; the brand stays', async () => {
    const { id: workspaceId, store, add, set, remove, list } = await workspace(await open());
    const { id } = await add({ name: 'Globex', domains: ['globex.com'] });
    await remove('globex');
    expect(await list()).toEqual(['Acme']);
    const all = await listSubjects(store.reader, workspaceId, { includesArchived: true });
    expect(all.find((subject) => subject.id === id)).toMatchObject({
      name: 'Globex',
      archived_at: '2026-11-20T12:34:56.789Z',
    });
    await expect(remove('Globex')).rejects.toThrow('subject_removed');
    await expect(remove(id)).rejects.toThrow('subject_removed');
    await expect(set(id, { name: 'X' })).rejects.toThrow('subject_removed');
    await expect(remove('Acme')).rejects.toThrow('brand_not_removable');
    const again = await add({ name: 'Globex', domains: ['globex.com'] });
    expect(again.id).not.toBe(id);
  });

  test('one of two subjects that take the same name at once gets it', async () => {
    const { add, list } = await workspace(await open());
    const results = await Promise.allSettled([add({ name: 'Globex' }), add({ name: 'globex' })]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await list()).toHaveLength(2);
  });
});

/** A workspace with the brand Acme, and the operations on its subjects. */
async function workspace({ store }: { store: Store }, slug = 'one') {
  const { id } = await createWorkspace(store, { slug, name: slug, brand: { name: 'Acme' }, clock });
  return {
    id,
    store,
    add: (words: SubjectWords) => addSubject(store, id, { words, clock }),
    set: (word: string, change: SubjectChange) => setSubject(store, id, word, change),
    remove: (word: string) => removeSubject(store, id, word, { clock }),
    find: (word: string) => findSubject(store.reader, id, word),
    list: async () => (await listSubjects(store.reader, id)).map(({ name }) => name),
    revision: async () => {
      const row = await store.reader
        .selectFrom('revisions')
        .select('revision')
        .where('workspace_id', '=', id)
        .executeTakeFirstOrThrow();
      return row.revision;
    },
  };
}

function taken(list: 'alias' | 'domain', word: string, name: string): object {
  return { code: 'subject_word_taken', facts: { list, word, owner: { name } } };
}
