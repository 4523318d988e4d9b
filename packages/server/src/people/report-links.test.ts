import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { isDuplicate } from '../storage/duplicate.ts';
import { newId } from '../values/uuid.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import { changeMember } from './members.ts';
import {
  listReportLinks,
  makeReportLink,
  openReportLink,
  revokeReportLink,
} from './report-links.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = (): number => startMs;
const dayMs = 24 * 3_600_000;

eachStore('report links', (open) => {
  test('a report link opens until its last day ends, each opening counts, and only its hash is stored', async () => {
    const { store, workspaceId, token } = await place(open);
    const late = () => startMs + 30 * dayMs;
    for (const at of [clock, () => startMs + 1000, () => late() - 1]) {
      expect(await openReportLink(store.access, token, { clock: at })).toMatchObject({
        workspace_id: workspaceId,
        page: 'crawlers',
        view: 'weeks=12',
        has_texts: false,
      });
    }
    expect(await openReportLink(store.access, token, { clock: late })).toBeUndefined();
    expect(await openReportLink(store.access, `${token}x`, { clock })).toBeUndefined();
    const [listed] = await listReportLinks(store.access, workspaceId);
    expect(listed).toMatchObject({ opened: 3, opened_at: new Date(late() - 1).toISOString() });
    const stored = await store.access.selectFrom('report_links').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('a revoked report link opens nothing, and is revoked by its own workspace alone', async () => {
    const { store, workspaceId, token, id, userId } = await place(open);
    const other = await aWorkspace(store);
    const revoke = (ids: { workspaceId: string; id: string }) =>
      revokeReportLink(store.access, ids, { userId, clock });
    expect(await revoke({ workspaceId: other, id })).toBe(false);
    expect(await openReportLink(store.access, token, { clock })).toBeDefined();
    expect(await revoke({ workspaceId, id })).toBe(true);
    expect(await revoke({ workspaceId, id })).toBe(true);
    expect(await openReportLink(store.access, token, { clock })).toBeUndefined();
    const events = await store.access
      .selectFrom('events')
      .select(['kind', 'facts'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('kind')
      .execute();
    expect(events).toEqual([
      { kind: 'report_link_made', facts: '{"name":"the board (crawlers)"}' },
      { kind: 'report_link_revoked', facts: '{"name":"the board (crawlers)"}' },
    ]);
  });

  test('a form that is sent twice makes one report link', async () => {
    const { store, workspaceId, id, userId } = await place(open);
    const words = { name: 'again', page: 'crawlers', view: '', has_texts: true };
    const again = makeReportLink(
      store.access,
      { id, workspace_id: workspaceId, ...words },
      { days: 1, userId, clock },
    );
    await expect(again).rejects.toSatisfy(isDuplicate);
    expect(await listReportLinks(store.access, workspaceId)).toHaveLength(1);
  });

  test(
    'the links of a removed member go on working; those of a removed workspace end',
    { tags: ['once'] },
    async () => {
      const { store, workspaceId, token, userId } = await place(open);
      await newPerson(store, { workspaceId, role: 'admin' });
      await changeMember(store, { workspaceId, userId, role: null }, { userId: null, clock });
      expect(await openReportLink(store.access, token, { clock })).toBeDefined();
      await removeWorkspace(store, workspaceId);
      expect(await openReportLink(store.access, token, { clock })).toBeUndefined();
      expect(await store.access.selectFrom('report_links').selectAll().execute()).toEqual([]);
    },
  );
});

async function place(open: Open) {
  const { store } = await open();
  const workspaceId = await aWorkspace(store);
  const { id: userId } = await newPerson(store, { workspaceId, role: 'admin', clock });
  const id = newId(clock);
  const link = { id, workspace_id: workspaceId, name: 'the board', page: 'crawlers' };
  const view = { view: 'weeks=12', has_texts: false };
  const token = await makeReportLink(
    store.access,
    { ...link, ...view },
    { days: 30, userId, clock },
  );
  return { store, workspaceId, userId, id, token };
}
