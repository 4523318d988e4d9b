import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { deriveActions } from '../answers/actions/derive.ts';
import { setOutsideMarket, tagPrompts } from '../workspaces/tags.ts';
import { countOpenGaps } from './open-gaps.ts';
import { readReport } from './report.ts';

const period = { from: '2026-10-24', to: '2026-11-20' };

eachStore('topics in the report', (open) => {
  test('the report lists lost topics first, and leaves out those outside of the market with their prompts and gaps', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const answers = { Tents: 'Globex.', Boots: 'Acme.', Kayaks: 'Initech and Globex.' };
    const rows = Object.entries(answers).flatMap(([topic, answer]) =>
      Array.from({ length: 18 }, (_, index) => ({
        prompt: `${topic} for ${['me', 'you', 'us'][index % 3]}?`,
        engine: 'chatgpt',
        run_at: `2026-11-19T${String(index).padStart(2, '0')}:00:00Z`,
        answer,
      })),
    );
    await importRows(store, workspaceId, rows);
    const prompts = await store.reader.selectFrom('prompts').select(['id', 'text']).execute();
    const idsOf = (topic: string) =>
      prompts.filter(({ text }) => text.startsWith(topic)).map(({ id }) => id);
    for (const topic of Object.keys(answers)) {
      await tagPrompts(store, workspaceId, { ids: idsOf(topic), tag: topic, isTopic: true });
    }
    await deriveActions(store, { workspaceId, clock: () => now });
    const source = { db: store.reader, workspaceId };
    const read = async () => {
      const { topics, lost } = await readReport(source, period);
      return {
        topics: topics.map((row) => [row.topic, row.prompts, row.cited, row.leader, row.is_lost]),
        lost: lost.length,
        gaps: await countOpenGaps(source),
      };
    };
    const { gaps, ...before } = await read();
    expect(before).toEqual({
      topics: [
        ['Kayaks', 3, 0, 'Globex', true],
        ['Tents', 3, 0, 'Globex', true],
        ['Boots', 3, 18, null, false],
      ],
      lost: 6,
    });
    await setOutsideMarket(store, workspaceId, { tag: 'Kayaks', isOutside: true });
    expect(await read()).toEqual({ topics: before.topics.slice(1), lost: 3, gaps: gaps - 3 });
  });
});
