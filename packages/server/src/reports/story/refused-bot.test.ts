import { report } from '@overheard/contract';
import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { answersOf, quietAnswers } from '../../../test/answers/planted-answers.ts';
import { plans } from '../../../test/answers/planted-stories.ts';
import { call, startApi } from '../../../test/servers/api.ts';
import { aHit, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';

const clock = () => now;
const bots = {
  search: { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' },
  training: { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler' },
} as const;
const refused =
  "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 15 November: 20 of 20 requests.";

eachStore({ title: 'the story of a report', onBoth: false }, (open) => {
  /** A workspace of answers, its story, and what adds a bot that is refused since 15 November. */
  async function start(answers: readonly object[]) {
    const { store } = await open({ clock });
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, answers, { acceptsNearDuplicates: true });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const api = await startApi(store, { clock, quota: 0 });
    const storyOf = async (query = '') => {
      const response = await call(api, `/api/v1/report${query}`, { key });
      return report.row.parse(response.json().report).story;
    };
    const refuse = (bot: keyof typeof bots) => {
      const hits = Array.from({ length: 40 }, (_, index) => {
        const day = Date.parse(`2026-11-${index < 20 ? '01' : '15'}T00:00:00.000Z`);
        const hit_at = new Date(day + (index % 20) * 4_000_000).toISOString();
        return aHit({ ...bots[bot], hit_at, status: index < 20 ? 200 : 403 });
      });
      return writeRows(store, workspaceId, { hits });
    };
    return { storyOf, refuse };
  }

  test(
    'a bot that is refused since a day of the period comes first where no figure is sure to have moved',
    { tags: ['long'] },
    async () => {
      const { storyOf, refuse } = await start(quietAnswers(1));
      const quiet = await storyOf();
      expect(quiet[0]).toMatch(/^No (?:real|sure) change in these 4 weeks\.$/);
      await refuse('training');
      expect(await storyOf()).toEqual(quiet);
      await refuse('search');
      expect(await storyOf()).toEqual([refused, ...quiet]);
      expect(await storyOf('?from=2026-11-16&to=2026-11-20')).not.toContain(refused);
    },
  );

  test(
    'a refused bot is not beside a change that is sure, because it would read as the cause',
    { tags: ['long'] },
    async () => {
      const [plan] = plans;
      if (plan === undefined) throw new Error('No plan');
      const { storyOf, refuse } = await start(answersOf(plan, 7919));
      const moved = await storyOf();
      expect(moved[0]).toBe(plan.headline);
      await refuse('search');
      expect(await storyOf()).toEqual(moved);
    },
  );
});
