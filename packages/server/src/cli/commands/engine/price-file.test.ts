import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noon, startCollecting, status } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

function file(text: string, name = 'prices.csv'): string {
  const path = join(mkdtempSync(join(tmpdir(), 'overheard-prices-')), name);
  writeFileSync(path, text);
  return path;
}

const head = 'engine,model,input,cached,output,searches,currency,from,source';
/** 1,000 tokens in, 100 out, one search. */
const answer = {
  json: {
    id: 'resp_1',
    status: 'completed',
    model: 'gpt-6-luna',
    output: [
      { type: 'web_search_call', action: { type: 'search', query: 'crm' } },
      { type: 'message', content: [{ type: 'output_text', text: 'Acme.', annotations: [] }] },
    ],
    usage: { input_tokens: 1000, output_tokens: 100 },
  },
};

eachDatabase('a price file', (create) => {
  test(
    'a price file takes the place of the price list from its day on, for cost and bound',
    { tags: ['long'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 1, dayUsd: 9 }, answer);
      await here.run('engine disable own_api');
      const base = here.baseUrl;
      await here.run(`engine add chatgpt_api --base-url ${base} --key-variable OWN_KEY`);
      const path = file(
        `${head}\nchatgpt_api,gpt-6-luna,1000,,0,0,USD,2026-11-01,\nchatgpt_api,gpt-6-luna,2000,,0,0,USD,2026-11-20,page\nchatgpt_api,gpt-6-luna,9000,,0,0,USD,2026-11-21,later\nother_api,gpt-6-luna,5000,,0,0,USD,2026-11-20,\n`,
      );
      const run = `collect run --workspace acme --now --price-file ${path}`;
      // The bound of 60,000 tokens is $120, which is more than the budget.
      expect((await here.run(run)).stderr).toContain('The budget is used up');
      expect(here.sent).toHaveLength(0);
      await here.run('budget set --workspace acme --day 500 --month 500');
      await here.run(run);
      expect(await status(here, 'chatgpt_api')).toMatchObject({ cost_usd: 2 });
      const { stdout } = await here.run(`engine list --price-file ${path}`, {
        clock: () => noon + 86_400_000,
      });
      expect(stdout).toContain('$540.00');
    },
  );

  test('a price file is refused with file, line and field, and nothing is asked', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answer);
    for (const [row, field] of [
      ['own_api,small,-1,,1,1,USD,2026-11-01,', 'input'],
      ['own_api,small,1,,,1,USD,2026-11-01,', 'output'],
      ['own_api,small,1,,1,cheap,USD,2026-11-01,', 'searches'],
      ['own_api,small,1,,1,1,EUR,2026-11-01,', 'currency'],
    ] as const) {
      const path = file(`${head}\nown_api,large,1,,1,1,USD,2026-11-01,\n${row}\n`);
      const run = await here.run(`collect run --workspace acme --now --price-file ${path}`);
      expect(run.code).toBe(1);
      expect(run.stderr).toContain(`prices.csv:3: field "${field}"`);
    }
    const twice = file(
      '{"engine":"own_api","model":"m","input":1,"output":1,"from":"2026-11-01"}\n{"engine":"own_api","model":"m","input":2,"output":1,"from":"2026-11-01"}\n',
      'prices.ndjson',
    );
    const { stderr } = await here.run(`engine list --price-file ${twice}`);
    expect(stderr).toContain('prices.ndjson:2: field "from"');
    expect(await here.run('engine list --price-file none.csv')).toMatchObject({ code: 1 });
    expect(here.sent).toHaveLength(0);
  });
});
