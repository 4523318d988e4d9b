import { expect, test } from 'vitest';
import { newTenant } from '../../test/servers/api.ts';
import { aPrompt, aRun, idOf, writeReading, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { setAskingSwitch } from '../collect/ledger/asking-switch.ts';
import { setOperatorCaps } from '../collect/ledger/operator-budgets.ts';
import { setAllowance } from '../collect/ledger/budgets.ts';
import { setMessageTime, usualTime } from './message-times.ts';
import { addRecipient } from './recipients.ts';
import { sendMessages } from './send-messages.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Tuesday. */
const nowMs = Date.parse('2026-11-24T12:00:00.000Z');

eachStore('alerts', (open) => {
  test('a change is told once under one id, by one of two servers, and again if it comes back after a week', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    expect(await look()).toEqual([]);
    const { record } = await createKey(store, {
      workspaceId,
      name: 'reporting',
      expiresAt: new Date(clock.ms + dayMs).toISOString(),
      clock: () => clock.ms,
    });
    clock.ms += hourMs;
    await Promise.all([look(), look()]);
    expect(await look()).toEqual(['key_expires']);
    clock.ms += hourMs;
    expect(await look()).toEqual(['key_expires']);
    const expires = (at: number) =>
      store.access
        .updateTable('keys')
        .set({ expires_at: new Date(at).toISOString() })
        .where('id', '=', record.id)
        .execute();
    // The key is replaced for 6 days, and for 9.
    for (const [days, count] of [
      [6, 1],
      [9, 2],
    ] as const) {
      await expires(clock.ms + 100 * dayMs);
      clock.ms += hourMs;
      await look();
      clock.ms += days * dayMs;
      await expires(clock.ms + dayMs);
      expect(await look()).toHaveLength(count);
    }
    const ids = await store.access
      .selectFrom('messages')
      .select('id')
      .where('kind', '=', 'key_expires')
      .execute();
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  test('alerts wait in quiet hours until they end, in the zone of the workspace', async () => {
    const { look, clock, store, workspaceId, addKey } = await aPlace(open);
    await look();
    // In Kolkata it is 17:30, and 22:00 begins at 16:30 UTC.
    const time = { ...usualTime, zone: 'Asia/Kolkata', quiet_from: 22, quiet_to: 7 };
    await setMessageTime(store.access, workspaceId, time, { clock: () => clock.ms });
    clock.ms = Date.parse('2026-11-24T16:30:00.000Z');
    await addKey();
    expect(await look()).toEqual([]);
    clock.ms = Date.parse('2026-11-25T01:29:00.000Z');
    expect(await look()).toEqual([]);
    clock.ms = Date.parse('2026-11-25T01:30:00.000Z');
    expect(await look()).toEqual(['key_expires']);
  });

  test('a look that failed is repeated an hour later, and tells what the failed one did not', async () => {
    const { look, clock, store, addKey } = await aPlace(open);
    await addKey();
    const broken = { ...store, snapshot: () => Promise.reject(new Error('damaged')) };
    await expect(look(broken)).rejects.toThrow('damaged');
    expect(await look()).toEqual([]);
    clock.ms += hourMs;
    expect(await look()).toEqual(['key_expires']);
  });

  test('imported answers that stop give no alert, and a workspace that is asked daily gets one', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    const run = (number: number) =>
      aRun({
        id: idOf(number),
        outcome: 'answered',
        run_at: new Date(clock.ms - hourMs).toISOString(),
      });
    const prompts = [aPrompt({ id: idOf(1), active: true, collect: true })];
    await writeRows(store, workspaceId, { prompts, runs: [run(1)] });
    clock.ms += 6 * dayMs;
    expect(await look()).toEqual([]);
    await store.ledger({ mayCreate: true });
    const budget = { dayUsd: 1, monthUsd: 10, sweeps: 3 };
    await setAllowance(store, workspaceId, budget, { isOperator: true });
    await setAskingSwitch(store, { isOn: true, clock: () => clock.ms });
    clock.ms += 30 * dayMs;
    // The switch has long been on, and this workspace was not asked yet.
    expect(await look()).toEqual([]);
    const due = new Date(clock.ms).toISOString();
    await writeReading(store, workspaceId, { day: due.slice(0, 10), due_at: due });
    clock.ms += 2 * dayMs - 1;
    expect(await look()).toEqual([]);
    clock.ms += hourMs;
    expect(await look()).toEqual(['no_answers']);
  });
});

eachStore({ title: 'alerts for the operator', onBoth: false }, (open) => {
  test('a cap of a month that is nearly spent is told, and a day that is spent is not', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    await setOperatorCaps(store, '', { dayUsd: 1, monthUsd: 100 });
    const spend = (period: string, spent_micros: number) =>
      store.ledger().then((ledger) =>
        ledger?.write((db) =>
          db
            .insertInto('operator_budgets')
            .values({ scope: '', period, spent_micros, held_micros: 0 })
            .onConflict((conflict) =>
              conflict.columns(['scope', 'period']).doUpdateSet({ spent_micros }),
            )
            .execute(),
        ),
      );
    const recipient = { id: idOf(2), workspace_id: workspaceId, address: 'mailto:o@example.com' };
    const at = { clock: () => clock.ms };
    await addRecipient(store.access, { ...recipient, created_by: null, for_operator: true }, at);
    // A day's cap that is spent is usual.
    await spend('2026-11-24', 1_000_000);
    await spend('2026-11', 79_990_000);
    expect(await look()).toEqual([]);
    await spend('2026-11', 80_000_000);
    clock.ms += hourMs;
    expect(await look()).toEqual(['cap']);
  });

  test('a backup that is missing is told to the recipients of the operator alone, once', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    const backupFault = 'There is no backup in /backups.';
    expect(await look(store, { backupFault })).toEqual([]);
    const address = 'mailto:operator@example.com';
    const recipient = { id: idOf(2), workspace_id: workspaceId, address, created_by: null };
    const at = { clock: () => clock.ms };
    await addRecipient(store.access, { ...recipient, for_operator: true }, at);
    clock.ms += hourMs;
    expect(await look(store, { backupFault })).toEqual(['backup']);
    clock.ms += 2 * dayMs;
    expect(await look(store, { backupFault })).toEqual(['backup']);
    const sent = await store.access
      .selectFrom('deliveries')
      .innerJoin('messages', 'messages.id', 'deliveries.message_id')
      .select('recipient_id')
      .where('kind', '=', 'backup')
      .execute();
    expect(sent).toEqual([{ recipient_id: idOf(2) }]);
  });
});

/** A workspace with a recipient, and what looks for alerts and returns the kinds of all written ones. */
async function aPlace(open: Open) {
  const clock = { ms: nowMs };
  const { store } = await open({ clock: () => clock.ms });
  const { workspaceId } = await newTenant(store);
  const recipient = {
    id: idOf(1),
    workspace_id: workspaceId,
    address: 'https://hooks.example.com/1',
    created_by: null,
  };
  const addWebhook = () => addRecipient(store.access, recipient, { clock: () => clock.ms });
  await addWebhook();
  const addKey = async (name = 'reporting') => {
    const expiresAt = new Date(clock.ms + 3 * dayMs).toISOString();
    const { record } = await createKey(store, {
      workspaceId,
      name,
      expiresAt,
      clock: () => clock.ms,
    });
    return record;
  };
  const { signal } = new AbortController();
  const look = async (of = store, more: { backupFault?: string } = {}) => {
    await sendMessages(of, {
      fetch: () => Promise.resolve({ status: 204, body: null }),
      publicUrl: 'http://overheard.example',
      clock: () => clock.ms,
      signal,
      ...more,
    });
    const written = await store.access
      .selectFrom('messages')
      .select('kind')
      .where('workspace_id', '=', workspaceId)
      .where('kind', '<>', 'weekly')
      .orderBy('created_at')
      .execute();
    return written.map(({ kind }) => kind);
  };
  return { store, workspaceId, clock, look, addKey, addWebhook };
}
