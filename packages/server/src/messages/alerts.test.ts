import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newTenant } from '../../test/servers/api.ts';
import { aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { alertRules } from './alerts.ts';
import { setMessageTime, usualTime } from './message-times.ts';
import { addRecipient } from './recipients.ts';
import { sendMessages } from './send-messages.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Tuesday. */
const nowMs = Date.parse('2026-11-24T12:00:00.000Z');
const plain = (text: string) => ({ text, tone: 'plain' as const });

type Facts = Parameters<(typeof alertRules)[number]['find']>[0];

const key = {
  id: 'key',
  workspace_id: '',
  name: 'reporting',
  last_four: 'abcd',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-12-01T12:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
  created_by: null,
  revoked_by: null,
  replaced_by: null,
};

/** A workspace in which nothing is to be told. */
const quiet: Facts = {
  nowMs,
  story: { kind: 'none', headline: [plain('No real change.')], lines: [], missing: null },
  lost: [],
  access: {
    until: '2026-11-23',
    stories: [],
    days: Array.from({ length: 20 }, (_, day) => ({
      date: `2026-11-${String(day + 1).padStart(2, '0')}`,
      genuine: 1,
      refused: 0,
    })),
  },
  lastAnswerAt: '2026-11-23T12:00:00.000Z',
  listsMs: nowMs - 2 * dayMs,
  keys: [
    { ...key, expires_at: '2026-12-01T12:00:01.000Z' },
    { ...key, expires_at: null },
  ],
  money: { spentUsd: 7.99, capUsd: 10, sweeps: 3 },
  engines: [
    { name: 'openai_api', offReason: null },
    { name: 'gemini_api', offReason: 'disabled' },
  ],
};

test('nothing is told of a workspace in which nothing changed and nothing is wrong', () => {
  expect(alertRules.flatMap(({ find }) => find(quiet))).toEqual([]);
  expect(alertRules.flatMap(({ find }) => find({ ...quiet, money: undefined }))).toEqual([]);
});

test.each<[string, Partial<Facts>, string, string]>([
  [
    'change',
    { story: { ...quiet.story, headline: [plain('Acme fell.')], changes: ['total  down'] } },
    'total  down',
    'Acme fell.',
  ],
  [
    'refused',
    {
      access: {
        ...quiet.access,
        stories: [
          {
            kind: 'refused',
            bot_name: 'OAI-SearchBot',
            since: '2026-11-20',
            requests: 9,
            sentence: 'OAI-SearchBot has been refused.',
            cure: 'Let it through.',
          },
        ],
      },
    },
    'OAI-SearchBot',
    'OAI-SearchBot has been refused. Let it through.',
  ],
  [
    'no_answers',
    { lastAnswerAt: '2026-11-22T12:00:00.000Z' },
    '2026-11-22',
    'No answers since 2026-11-22.',
  ],
  [
    'no_hits',
    { access: { ...quiet.access, until: '2026-11-20' } },
    '2026-11-20',
    'No requests of bots since 2026-11-20: check that the log is still read.',
  ],
  [
    'budget',
    { money: { spentUsd: 8, capUsd: 10, sweeps: 3 } },
    '2026-11',
    'The budget of 2026-11 is nearly spent: $8.00 of $10.00.',
  ],
  [
    'engine_off',
    { engines: [{ name: 'openai_api', offReason: 'bad_key' }] },
    'openai_api',
    'openai_api is not asked any more, because of bad_key.',
  ],
  ['key_expires', { keys: [key] }, 'key', 'The API key reporting ends on 2026-12-01.'],
  [
    'lists_old',
    { listsMs: nowMs - 3 * dayMs },
    'lists',
    "The operators' lists of addresses are 3 days old, so new requests cannot be verified.",
  ],
])('the alert %s is found, and no other', (kind, facts, subject, sentence) => {
  const found = alertRules.flatMap((rule) =>
    rule
      .find({ ...quiet, ...facts })
      .map(({ page: _page, ...each }) => ({ kind: rule.kind, ...each })),
  );
  expect(found).toEqual([{ kind, subject, sentence }]);
});

test('the docs have each kind of alert, and when it is sent', () => {
  const docs = readFileSync(new URL('../../../../docs/messages.md', import.meta.url), 'utf8');
  const rows = docs.replaceAll(/ +/g, ' ').matchAll(/^\| `(\w+)` \| (.+) \|$/gm);
  const expected = alertRules.map(({ kind, when }) => [kind, when]);
  expect([...rows].map(([, kind, when]) => [kind, when])).toEqual(expected);
});

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

  test('two of a kind within a day are two messages a day apart, or one if they are found together', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    const addKey = (name: string) =>
      createKey(store, {
        workspaceId,
        name,
        expiresAt: new Date(clock.ms + 3 * dayMs).toISOString(),
        clock: () => clock.ms,
      });
    await addKey('one');
    clock.ms += 1;
    await addKey('two');
    await look();
    const [message] = await store.access.selectFrom('messages').select('body').execute();
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'alert',
      text: expect.stringMatching(
        /^The API key one ends on 2026-11-27\.\nThe API key two ends on 2026-11-27\.\n.*: http:\/\/overheard\.example\/w\/[^/]+\/settings\/keys$/,
      ),
      data: { kind: 'key_expires' },
    });
    await addKey('three');
    clock.ms += 23 * hourMs;
    expect(await look()).toEqual(['key_expires']);
    clock.ms += 2 * hourMs;
    expect(await look()).toEqual(['key_expires', 'key_expires']);
  });

  test('alerts wait in quiet hours until they end, in the zone of the workspace', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    await look();
    // In Kolkata it is 17:30, and 22:00 begins at 16:30 UTC.
    const time = { ...usualTime, zone: 'Asia/Kolkata', quiet_from: 22, quiet_to: 7 };
    await setMessageTime(store.access, workspaceId, time, { clock: () => clock.ms });
    clock.ms = Date.parse('2026-11-24T16:30:00.000Z');
    const run = aRun({ id: idOf(1), outcome: 'answered', run_at: '2026-11-22T16:29:00.000Z' });
    await writeRows(store, workspaceId, { runs: [run] });
    expect(await look()).toEqual([]);
    clock.ms = Date.parse('2026-11-25T01:29:00.000Z');
    expect(await look()).toEqual([]);
    clock.ms = Date.parse('2026-11-25T01:30:00.000Z');
    expect(await look()).toEqual(['no_answers']);
  });

  test('a look that failed is repeated an hour later, and tells what the failed one did not', async () => {
    const { look, clock, store, workspaceId } = await aPlace(open);
    const run = aRun({
      id: idOf(1),
      outcome: 'answered',
      run_at: new Date(nowMs - 3 * dayMs).toISOString(),
    });
    await writeRows(store, workspaceId, { runs: [run] });
    const broken = { ...store, snapshot: () => Promise.reject(new Error('damaged')) };
    await expect(look(broken)).rejects.toThrow('damaged');
    expect(await look()).toEqual([]);
    clock.ms += hourMs;
    expect(await look()).toEqual(['no_answers']);
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
  await addRecipient(store.access, recipient, { clock: () => clock.ms });
  const { signal } = new AbortController();
  const look = async (of = store) => {
    await sendMessages(of, {
      fetch: () => Promise.resolve({ status: 204, body: null }),
      publicUrl: 'http://overheard.example',
      clock: () => clock.ms,
      signal,
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
  return { store, workspaceId, clock, look };
}
