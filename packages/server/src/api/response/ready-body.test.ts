import { prompts } from '@overheard/contract';
import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../test/servers/api.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { EndpointQuery } from './entity-tag.ts';
import { readPrompts } from '../endpoints/prompts.ts';
import { readBody } from './ready-body.ts';
import type { FoundBody } from '../service/dependencies.ts';
import { readRevision } from './entity-tag.ts';

eachStore({ title: 'an answer', onBoth: false }, (open) => {
  test('a body whose rows were overtaken by a write belongs to the revision of that write', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    const before = await readRevision(store.reader, workspaceId);

    const found = await readWhile(store, { workspaceId, revision: before }, () =>
      addPrompt(store, workspaceId, 'overtaking'),
    );

    const after = await readRevision(store.reader, workspaceId);
    expect(after).not.toBe(before);
    expect(found?.revision).toBe(after);
    expect(texts(found)).toEqual(['overtaking']);
  });

  test('a body that no write has overtaken belongs to the revision read before it', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    await addPrompt(store, workspaceId, 'quiet');
    const before = await readRevision(store.reader, workspaceId);

    const found = await readWhile(store, { workspaceId, revision: before }, async () => {});

    expect(found?.revision).toBe(before);
    expect(texts(found)).toEqual(['quiet']);
  });
});

/** Reads prompts; `during` runs once, after the rows were read and before the revision is read again. */
function readWhile(
  store: Store,
  query: Pick<EndpointQuery, 'workspaceId' | 'revision'>,
  during: () => Promise<void>,
): Promise<FoundBody | undefined> {
  let isFirst = true;
  return readBody(store, {
    ...query,
    endpoint: prompts,
    today: new Date(nowMs).toISOString().slice(0, 10),
    prepared: {
      values: {},
      readWhole: async (reading) => {
        const rows = await readPrompts(reading);
        if (isFirst) await during();
        isFirst = false;
        return { rows };
      },
      async *slices() {},
    },
  });
}

async function addPrompt(store: Store, workspaceId: string, text: string): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('prompts')
      .values({
        workspace_id: workspaceId,
        id: '0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21',
        text,
        language: 'en',
        locale: 'en-US',
        active: true,
        created_at: new Date(nowMs).toISOString(),
      })
      .execute();
    return { hasChanged: true };
  });
}

function texts(found: FoundBody | undefined): string[] {
  if (found === undefined) throw new Error('It is too long for one body');
  const answer: { prompts: Array<{ text: string }> } = JSON.parse(String(found.body));
  return answer.prompts.map(({ text }) => text);
}
