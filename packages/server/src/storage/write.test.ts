import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { aPrompt, idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from './store.ts';
import { newRevision, tryOut, writeWorkspace } from './write.ts';

eachStore('a write', (open) => {
  test('a write draws a new revision where something changed, and only then', async () => {
    const { store } = await open();
    const [workspaceId, other] = [await aWorkspace(store), await aWorkspace(store)];
    const before = await revisions(store);
    await writeWorkspace(store, workspaceId, async () => ({ hasChanged: false }));
    expect(await revisions(store)).toEqual(before);

    await addPrompt(store, workspaceId);
    const after = await revisions(store);
    expect(after.get(workspaceId)).not.toBe(before.get(workspaceId));
    expect(after.get(other)).toBe(before.get(other));
  });

  test('a failed write leaves nothing, and the revision unchanged', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const before = await revisions(store);
    const failing = writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction.insertInto('prompts').values(prompt(workspaceId)).execute();
      throw new Error('half of it');
    });
    await expect(failing).rejects.toThrow('half of it');
    expect(await promptCount(store)).toBe(0);
    expect(await revisions(store)).toEqual(before);
  });

  test('a write into a missing workspace is refused', async () => {
    const { store } = await open();
    await expect(addPrompt(store, idOf(1))).rejects.toThrow('workspace_removed');
    expect(await promptCount(store)).toBe(0);
  });
});

eachStore('what is tried out', (open) => {
  test('a dry run sees everything that it writes, in any steps, and keeps nothing of it', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const before = await revisions(store);
    const seen = await tryOut(store, async (tried) => {
      await addPrompt(tried, workspaceId);
      await addPrompt(tried, workspaceId);
      return promptCount(tried);
    });
    expect(seen).toBe(2);
    expect(await promptCount(store)).toBe(0);
    expect(await revisions(store)).toEqual(before);
  });

  test('a failed dry run reports its failure, and keeps nothing', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const failing = tryOut(store, async (tried) => {
      await addPrompt(tried, workspaceId);
      throw new Error('a bad line');
    });
    await expect(failing).rejects.toThrow('a bad line');
    expect(await promptCount(store)).toBe(0);
    // The next one has its turn.
    await addPrompt(store, workspaceId);
    expect(await promptCount(store)).toBe(1);
  });
});

async function addPrompt(store: Store, workspaceId: string): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction.insertInto('prompts').values(prompt(workspaceId)).execute();
    return { hasChanged: true };
  });
}

function prompt(workspaceId: string) {
  return { workspace_id: workspaceId, ...aPrompt({ id: newRevision() }) };
}

async function promptCount(store: Store): Promise<number> {
  return (await store.reader.selectFrom('prompts').select('id').execute()).length;
}

async function revisions(store: Store): Promise<ReadonlyMap<string, string>> {
  const rows = await store.reader.selectFrom('revisions').selectAll().execute();
  return new Map(rows.map(({ workspace_id, revision }) => [workspace_id, revision]));
}
