import { expect, test } from 'vitest';
import { answered, startCollecting } from '../../../../test/engines/collecting.ts';
import { searchResponse } from '../../../../test/engines/search-response.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const run = 'collect run --workspace acme --now --at-once 1';

const searched = searchResponse({
  query: 'best "crm"',
  pages: [{ url: 'https://acme.com/crm', title: 'Bad \u001b[31m' }],
  text: 'Acme is good.',
});

eachDatabase('answers show', (create) => {
  test('answers show shows how an answer that was asked for came about: model, searches, pages and cost', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    const claude = await startEngineServer({ json: searched });
    await here.run('engine disable own_api');
    await here.run(`engine add claude_api --base-url ${claude.url} --per-minute 60000`);
    await here.run(run);
    const [id] =
      /^[0-9a-f]{8}/m.exec((await here.run('answers list --workspace acme')).stdout) ?? [];
    const { stdout } = await here.run(`answers show ${id} --workspace acme --json`);
    expect(JSON.parse(stdout).answer.queries).toEqual(['best "crm"']);
    expect(JSON.parse(stdout).evidence).toEqual({
      model: 'claude-haiku-4-5',
      searches: 1,
      retrieved: [{ url: 'https://acme.com/crm', title: 'Bad \u001b[31m' }],
      cost_usd: 0.01105,
      cost_basis: 'computed',
    });
    const shown = await here.run(`answers show ${id} --workspace acme`);
    expect(shown.stdout).toContain(
      'Asked over the API for $0.0111, by its use and the price list.\n',
    );
    expect(shown.stdout).toContain('Model as served: claude-haiku-4-5.\n');
    expect(shown.stdout).toContain('Searched for "best \\"crm\\"".\n');
    expect(shown.stdout).toMatch(
      /It read 1 page, cited ones included:\n {2}1\. https:\/\/acme\.com\/crm /,
    );
    expect(shown.stdout).not.toContain('\u001b');
  });

  test(
    'an answer of which only the number of searches is known counts as one that searched or did not, also after a reread',
    { tags: ['long'] },
    async () => {
      const usage = (searches: number) => ({
        json: { ...answered.json, usage: { cost: 0.002, num_search_queries: searches } },
      });
      const here = await startCollecting(await create(), { prompts: 3 }, usage(3), usage(0));
      await here.run(run);
      const runsOf = async (which: string) => {
        const line = `shares --workspace acme --searched ${which} --json`;
        return JSON.parse((await here.run(line)).stdout).shares[0]?.runs;
      };
      expect([await runsOf('yes'), await runsOf('no')]).toEqual([1, 2]);
      const store = await openStore(here.url);
      await store.writer.updateTable('runs').set({ searched: null }).execute();
      await store.close();
      const { stderr } = await here.run('collect reread --workspace acme --apply');
      expect(stderr).toContain('3 answers replaced (searched of 3).');
      expect([await runsOf('yes'), await runsOf('no')]).toEqual([1, 2]);
      const again = await here.run('collect reread --workspace acme --apply');
      expect(again.stderr).toContain('every answer is read as before');
    },
  );

  test('answers show shows what both parts of a paused answer searched and read', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    const last = searchResponse({
      query: 'acme price',
      pages: [{ url: 'https://acme.com/price', title: 'Prices' }],
      text: 'Acme costs $9.',
    });
    const claude = await startEngineServer(
      { json: { ...searched, stop_reason: 'pause_turn' } },
      { json: last },
    );
    await here.run('engine disable own_api');
    await here.run(`engine add claude_api --base-url ${claude.url} --per-minute 60000`);
    await here.run(run);
    expect(claude.sent).toHaveLength(2);
    const { stdout: listed } = await here.run('answers list --workspace acme --json');
    const [{ run_id: id, text }] = JSON.parse(listed).answers;
    expect(text).toBe('Acme costs $9.');
    const { stdout } = await here.run(`answers show ${id} --workspace acme --json`);
    expect(JSON.parse(stdout).answer.queries).toEqual(['best "crm"', 'acme price']);
    expect(JSON.parse(stdout).evidence).toMatchObject({
      searches: 2,
      retrieved: [{ url: 'https://acme.com/crm' }, { url: 'https://acme.com/price' }],
    });
  });
});
