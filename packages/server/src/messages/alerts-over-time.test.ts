// @module-tag slow
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { createRandom } from '../demo/random.ts';
import { tagPrompts } from '../workspaces/tags.ts';
import { setMessageTime, usualTime } from './message-times.ts';
import { addRecipient } from './recipients.ts';
import { sendMessages } from './send-messages.ts';

const dayMs = 24 * 3_600_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const engines = ['chatgpt', 'claude', 'gemini', 'perplexity'];
const promptCount = 25;

/** How likely an answer to a prompt names a subject on a day. */
type Rate = (at: { day: number; prompt: number; name: string; likes: number }) => number;

eachStore({ title: 'alerts over time', onBoth: false }, (open) => {
  test(
    'a workspace in which nothing changes for 90 days gets no alert of a change',
    { tags: ['long'] },
    async () => {
      const count = cases(6);
      const told: string[] = [];
      for (let seed = 1; seed <= count; seed += 1) {
        told.push(...(await alertsOf(open, { seed, days: 147, rateOf: ({ likes }) => likes })));
      }
      expect(told, told.join('\n')).toEqual([]);
    },
  );

  test(
    'a fall on every engine is one alert, and the rise of a prompt against it is another',
    { tags: ['long'] },
    async () => {
      const rateOf: Rate = ({ day, prompt, name, likes }) => {
        if (name !== 'Acme') return 0.4;
        if (prompt === 3) return day < 80 ? 0.02 : 0.98;
        return likes / 4 + (day < 70 ? 0.7 : 0.2);
      };
      const told = await alertsOf(open, { seed: 1, days: 120, rateOf });
      expect(told).toEqual([
        expect.stringMatching(/^change Acme fell from \d\d % to \d\d % of answers\.$/),
        expect.stringMatching(/^change For “Which tool suits team 3\?”, Acme rose from .+\.$/),
      ]);
    },
  );

  test('a prompt that a competitor takes over is told as lost once the lead is sure, and once', async () => {
    const rateOf: Rate = ({ day, prompt, name, likes }) =>
      prompt !== 3
        ? likes
        : Number((name === 'Globex' && day >= 70) || (name === 'Acme' && day < 70));
    const told = await alertsOf(open, { seed: 1, days: 100, rateOf });
    expect(told).toEqual([
      expect.stringMatching(/^change For “Which tool suits team 3\?”, Acme fell from /),
      expect.stringMatching(
        /^change For “Which tool suits team 3\?”, Globex is now shown in \d+ of \d+ answers, and Acme in \d+\.$/,
      ),
    ]);
  });
});

eachStore({ title: 'alerts of a tag', onBoth: false }, (open) => {
  test(
    'with a tag, alerts report its prompts alone, and a tag that no prompt has leaves out nothing',
    { tags: ['long'] },
    async () => {
      const rateOf: Rate = ({ day, prompt, name, likes }) =>
        prompt !== 3 && prompt !== 7
          ? likes
          : Number((name === 'Globex' && day >= 70) || (name === 'Acme' && day < 70));
      const all = { seed: 1, days: 100, rateOf };
      const told = await alertsOf(open, { ...all, tag: 'TEAM 7' });
      expect(told).toEqual([
        expect.stringMatching(/^change For “Which tool suits team 7\?”, Acme fell from /),
        expect.stringMatching(/^change For “Which tool suits team 7\?”, Globex is now shown in /),
      ]);
      const others = await alertsOf(open, { ...all, tag: 'Removed' });
      expect(others.join(' ')).toContain('team 3');
    },
  );
});

/** Looks every day from the 57th on, and returns the sentences of the alerts of changes. */
async function alertsOf(
  open: Open,
  {
    seed,
    days,
    rateOf,
    tag = null,
  }: { seed: number; days: number; rateOf: Rate; tag?: string | null },
): Promise<string[]> {
  const clock = { ms: startMs + days * dayMs };
  const { store } = await open({ clock: () => clock.ms });
  const workspaceId = await aWorkspace(store);
  const random = createRandom(7919 * seed).next;
  const likes = Array.from({ length: promptCount }, () => 0.2 + 0.4 * random());
  const answers = Array.from({ length: days * engines.length * promptCount }, (_, cell) => {
    const prompt = cell % promptCount;
    const engine = Math.floor(cell / promptCount) % engines.length;
    return { prompt, engine, day: Math.floor(cell / promptCount / engines.length) };
  }).filter(({ prompt, engine, day }) => (prompt + engine + day) % 7 === 0);
  const rows = answers.map(({ prompt, engine, day }) => {
    const names = ['Acme', 'Globex', 'Initech'].filter(
      (name) => random() < rateOf({ day, prompt, name, likes: likes[prompt] ?? 0 }),
    );
    return {
      prompt: `Which tool suits team ${prompt}?`,
      engine: engines[engine],
      run_at: new Date(startMs + day * dayMs + (prompt * 4 + engine + 60) * 60_000).toISOString(),
      answer: names.length === 0 ? 'It depends.' : `Consider ${names.join(', then ')}.`,
    };
  });
  await importRows(store, workspaceId, rows, { acceptsNearDuplicates: true });
  const seventh = await store.reader
    .selectFrom('prompts')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('text', '=', 'Which tool suits team 7?')
    .executeTakeFirstOrThrow();
  await tagPrompts(store, workspaceId, { ids: [seventh.id], tag: 'Team 7' });
  const address = 'https://hooks.example.com/1';
  const recipient = { id: idOf(1), workspace_id: workspaceId, address, created_by: null };
  await addRecipient(store.access, recipient, { clock: () => startMs });
  await setMessageTime(store.access, workspaceId, { ...usualTime, tag }, { clock: () => startMs });
  const { signal } = new AbortController();
  for (let day = 57; day < days; day += 1) {
    clock.ms = startMs + (day + 0.5) * dayMs;
    await sendMessages(store, {
      fetch: () => Promise.resolve({ status: 204, body: null }),
      publicUrl: 'http://overheard.example',
      clock: () => clock.ms,
      signal,
    });
  }
  const written = await store.access
    .selectFrom('messages')
    .select(['kind', 'body'])
    .where('kind', 'in', ['change'])
    .orderBy('created_at')
    .execute();
  return written.flatMap(({ kind, body }) =>
    JSON.parse(body).data.alerts.map(({ sentence }: { sentence: string }) => `${kind} ${sentence}`),
  );
}
