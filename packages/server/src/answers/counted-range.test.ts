import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows } from '../../test/answers/answers.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { readAnswerPage } from '../reports/answers.ts';
import { addressesOf, readLinkingRuns } from '../storage/counts/linked-pages.ts';
import type { Store } from '../storage/store.ts';
import { createPageReader, readRunEvidence } from './actions/evidence.ts';
import { redetect } from './redetect/redetect.ts';
import { listAnswerMentions } from './scores/answer-mentions.ts';
import { explainScore } from './scores/explain-score.ts';
import { findUntracked } from './untracked/find-untracked.ts';

const furniture =
  'AI responses may include mistakes. Learn moreThank youYour feedback helps Google improve. See our Privacy Policy.Share more feedbackReport a problemCloseTo save your searches,\u00a0update your settings';
const answer = `\u{1f600} Globex, then Acme.\u00a0${furniture}`;
const row = { prompt: 'Which tool?', run_at: '2026-11-19T06:00:00Z', answer };
const rows = [
  { ...row, id: idOf(11), engine: 'google_ai_mode' },
  { ...row, id: idOf(12), engine: 'chatgpt' },
];

async function aGoogleWorkspace(store: Store): Promise<string> {
  const workspaceId = await aWorkspace(store);
  await addSubject(store, workspaceId, { name: 'Google', domain: 'google.com', number: 4 });
  return workspaceId;
}

/** The named subjects, their positions, and the stored text with its range. */
async function readRun({ reader }: Store, workspaceId: string, id: string) {
  const named = await reader
    .selectFrom('detections')
    .select(['subject_id', 'position'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', id)
    .where('cited', '=', true)
    .orderBy('rank')
    .execute();
  const stored = await reader
    .selectFrom('answers')
    .select(['answer', 'counts_from', 'counts_to'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow();
  return { named: named.map((one) => [one.subject_id, one.position]), ...stored };
}

const globexAndAcme = [
  [idOf(2), 2],
  [idOf(1), 15],
];
const counted = { named: globexAndAcme, answer, counts_from: null, counts_to: 21 };
const whole = {
  named: [...globexAndAcme, [idOf(4), 95]],
  answer,
  counts_from: null,
  counts_to: null,
};

eachStore('the range of an answer that counts', (open) => {
  test('a company that only the text of the page names is not cited, and the text is kept whole', async () => {
    const { store } = await open();
    const workspaceId = await aGoogleWorkspace(store);
    await importRows(store, workspaceId, rows);
    expect(await readRun(store, workspaceId, idOf(11))).toEqual(counted);
    expect(await readRun(store, workspaceId, idOf(12))).toEqual(whole);
    const again = await importRows(store, workspaceId, rows);
    expect(again).toMatchObject({ runs: { new: 0, unchanged: 2 }, hasChanged: false });
    expect(await redetect(store, { workspaceId })).toMatchObject({ hasChanged: false });
  });

  test('redetection shows and then applies the range to answers stored without it', async () => {
    const { store } = await open();
    const workspaceId = await aGoogleWorkspace(store);
    const engine = 'google_ai_overview';
    await importRows(store, workspaceId, [{ ...row, id: idOf(11), engine }]);
    await store.writer
      .updateTable('runs')
      .set({ engine: 'google_ai_mode', method: 'rules 5' })
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(await readRun(store, workspaceId, idOf(11))).toEqual(whole);
    const tried = await redetect(store, { workspaceId, isDryRun: true });
    expect(tried).toMatchObject({ judged: 1, outdated: 1, recited: 1 });
    expect(tried.sentences).toMatchObject({
      comes: 0,
      goes: 1,
      examples: [{ subject: 'Google', change: 'goes' }],
    });
    expect(await readRun(store, workspaceId, idOf(11))).toEqual(whole);
    expect(await redetect(store, { workspaceId })).toMatchObject({ recited: 1 });
    expect(await readRun(store, workspaceId, idOf(11))).toEqual(counted);
    expect(await redetect(store, { workspaceId })).toMatchObject({ hasChanged: false });
  });

  test('names outside the range are not suggested', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const body = 'I would take **Hooli**, because Hooli has reports. ';
    const texts = Array.from({ length: 6 }, (_, index) => ({
      ...row,
      engine: 'chatgpt',
      run_at: `2026-11-19T1${index}:00:00Z`,
      answer: `${body}I would take **Umbra**, because Umbra has ${index} reports.`,
    }));
    await importRows(store, workspaceId, texts, { acceptsNearDuplicates: true });
    const suggested = async () => {
      const options = { answersMax: 500, rowsMax: 50 };
      const { names } = await findUntracked(store.reader, workspaceId, options);
      return names.map(({ name, example }) => [name, example.sentence]);
    };
    const [hooli, umbra] = ['Hooli', 'Umbra'].map((name) => [
      name,
      expect.stringContaining(`I would take **${name}**`),
    ]);
    expect(await suggested()).toEqual([hooli, umbra]);
    for (const [range, left] of [
      [{ counts_from: null, counts_to: body.length }, hooli],
      [{ counts_from: body.length, counts_to: null }, umbra],
    ] as const) {
      await store.writer
        .updateTable('answers')
        .set(range)
        .where('workspace_id', '=', workspaceId)
        .execute();
      expect(await suggested()).toEqual([left]);
    }
  });

  test('everything that reads an answer again reads the stored range alone', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const [head, body] = ['Acme https://head.example/ ', 'Acme, Acme: https://acme.com/a '];
    const tail = 'Acme https://acme.com/tail https://tail.example/ https://body.example/b';
    const text = `${head}${body}https://body.example/a ${tail}`;
    await importRows(store, workspaceId, [
      { ...row, id: idOf(11), engine: 'chatgpt', answer: text },
    ]);
    const range = { counts_from: head.length, counts_to: text.length - tail.length };
    await store.writer
      .updateTable('answers')
      .set(range)
      .where('workspace_id', '=', workspaceId)
      .execute();
    await store.writer
      .updateTable('detections')
      .set({ position: head.length })
      .where('workspace_id', '=', workspaceId)
      .where('position', 'is not', null)
      .execute();
    const source = { db: store.reader, workspaceId };
    const { rows: found } = await readAnswerPage(source, { rowsMax: 1 });
    const mentions = await Promise.all(
      found.map(async (each) => listAnswerMentions(store.reader, workspaceId, each)),
    );
    expect(found.map((each) => each.text)).toEqual([text]);
    expect(mentions.flat().map(({ position }) => position)).toEqual([head.length, head.length + 6]);
    const day = { date: '2026-11-19', engine: 'chatgpt' };
    const { runs } = await explainScore(store.reader, workspaceId, day);
    expect(runs.map(({ cited }) => cited.map((one) => one.mentions_total))).toEqual([[2]]);
    const [linking] = await readLinkingRuns(store.reader, workspaceId, { date: day.date });
    expect(linking && addressesOf(linking)).toEqual([
      'https://acme.com/a',
      'https://body.example/a',
      'https://acme.com/a',
    ]);
    const [evidence] = await readRunEvidence(store.reader, workspaceId, {
      promptId: found[0]?.prompt_id ?? '',
      span: { from: '2026-11-01', before: '2026-12-01' },
      reader: createPageReader([]),
    });
    expect(evidence?.pages).toEqual(['acme.com/a', 'body.example/a']);
  });
});
