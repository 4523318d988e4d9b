import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertRules } from './alerts.ts';

const dayMs = 24 * 3_600_000;
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
  tag: undefined,
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
  isAsked: true,
  silence: undefined,
  caps: [
    { scope: '', period: '2026-11', capUsd: null, spentUsd: 70, heldUsd: 0 },
    { scope: 'openai_api', period: '2026-11', capUsd: 100, spentUsd: 79.99, heldUsd: 9 },
  ],
  backupFault: undefined,
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

const fall = {
  kind: 'total',
  subject: 'total  down',
  tone: 'down',
  before: 0.6,
  now: 0.3,
  prompt: null,
  sentence: 'Acme fell.',
  isSureDaily: true,
} as const;

test('a fall on an engine is a part of a fall of all answers, and a fall of a competitor is none', () => {
  const changes = [fall, { ...fall, kind: 'engine' }, { ...fall, kind: 'rival' }] as const;
  const story = { ...quiet.story, changes };
  const found = alertRules.flatMap(({ find }) => find({ ...quiet, story }));
  expect(found.map(({ partOf }) => partOf)).toEqual([undefined, fall.subject, undefined]);
});

test('nothing is told of a workspace in which nothing changed and nothing is wrong', () => {
  expect(alertRules.flatMap(({ find }) => find(quiet))).toEqual([]);
  expect(alertRules.flatMap(({ find }) => find({ ...quiet, money: undefined }))).toEqual([]);
  const recent = { ...quiet.access, until: '2026-11-21' };
  expect(alertRules.flatMap(({ find }) => find({ ...quiet, access: recent }))).toEqual([]);
  const off = { name: 'openai_api', offReason: 'bad_key' };
  const unasked = { ...quiet, engines: [off], isAsked: false };
  expect(alertRules.flatMap(({ find }) => find(unasked))).toEqual([]);
});

test.each<[string, Partial<Facts>, string, string]>([
  [
    'change',
    {
      story: { ...quiet.story, changes: [fall, { ...fall, subject: 'rival', isSureDaily: false }] },
    },
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
    { silence: '2026-11-22T12:00:00.000Z' },
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
  [
    'backup',
    { backupFault: 'There is no backup in /backups.' },
    'backup',
    'There is no backup in /backups.',
  ],
  [
    'cap',
    { caps: [{ scope: '', period: '2026-11', capUsd: 100, spentUsd: 80, heldUsd: 0 }] },
    ' 2026-11',
    'The cap of all engines for 2026-11 is nearly spent: $80.00 of $100.00.',
  ],
])('the alert %s is found, and no other', (kind, facts, subject, sentence) => {
  const found = alertRules.flatMap((rule) =>
    rule.find({ ...quiet, ...facts }).map(({ subject: of, sentence: words }) => ({
      kind: rule.kind,
      subject: of,
      sentence: words,
    })),
  );
  expect(found).toEqual([{ kind, subject, sentence }]);
});

test('the docs have each kind of alert, and when it is sent', () => {
  const docs = readFileSync(new URL('../../../../docs/messages.md', import.meta.url), 'utf8');
  const rows = docs.replaceAll(/ +/g, ' ').matchAll(/^\| `(\w+)` \| (.+) \|$/gm);
  const expected = alertRules.map(({ kind, when }) => [kind, when]);
  expect([...rows].map(([, kind, when]) => [kind, when])).toEqual(expected);
});
