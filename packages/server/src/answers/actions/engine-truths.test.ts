import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { deriveActions } from './derive.ts';
import { listActions } from '../../storage/queries/list-actions.ts';

/** Each engine has 3 runs of 14 prompts per window. The number of those 42 runs that cite the brand. */
function runsOf(engine: string, cited: number, back = 0): object[] {
  return Array.from({ length: 42 }, (_, index) => ({
    prompt: `Question ${index % 14}?`,
    engine,
    run_at: new Date(now - (28 * back + Math.floor(index / 14)) * dayMs - 3_600_000).toISOString(),
    answer: (index * cited) % 42 < cited ? 'Acme and Globex.' : 'Globex.',
  }));
}

eachStore('actions about an engine', (open) => {
  test(
    'actions about an engine name one that lags and one that declines, even if each prompt alone has too few runs',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importRows(store, workspaceId, [
        ...runsOf('chatgpt', 32),
        ...runsOf('chatgpt', 32, 1),
        ...runsOf('gemini', 3),
        ...runsOf('gemini', 3, 1),
        ...runsOf('perplexity', 16),
        ...runsOf('perplexity', 34, 1),
      ]);
      const derive = () => deriveActions(store, { workspaceId, windowDays: 28, clock: () => now });
      await derive();
      const actions = await listActions(store.reader, workspaceId);
      const sentences = actions
        .filter(({ kind }) => kind === 'engine gap' || kind === 'declining')
        .map(({ recommendation }) => recommendation);
      expect(sentences).toEqual([
        'Catch up on gemini: over 14 prompts it cites Acme in 3 of 42 answers (7 %), the other engines in 48 of 84 (57 %); cited instead: Globex (39).',
        'Stop the decline on perplexity: over 14 prompts it cites Acme in 16 of 42 answers (38 %), in the time before in 34 of 42 (81 %); cited instead: Globex (26).',
      ]);
      expect(await derive()).toMatchObject({ hasChanged: false, over: [] });
    },
  );
});
