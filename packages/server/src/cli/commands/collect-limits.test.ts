import { setTimeout } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { answered, budget, noon, startCollecting, status } from '../../../test/collecting.ts';
import { eachDatabase } from '../../../test/stores.ts';
import { openStore } from '../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';
const midnight = noon + 12 * 3_600_000;
const limited = { status: 429, json: { error: { code: 'rate_limit_exceeded' } } };

eachDatabase('collect', (create) => {
  test('an answer with ciphertext of many megabytes is kept without it', async () => {
    const quoted = 'a "quoted" \\ word';
    const json = { ...answered.json, quoted, encrypted_content: 'x'.repeat(2 ** 24), last: 1 };
    const here = await startCollecting(await create(), { prompts: 1 }, { json });
    const { stderr } = await here.run(run);
    expect(stderr).toContain('Asked 1 question for $0.0020; imported 1 run.');
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const bodies = await (await store.ledger())?.db.selectFrom('bodies').selectAll().execute();
    const kept = zstdDecompressSync(bodies?.[0]?.response ?? '').toString();
    expect(JSON.parse(kept)).toEqual({ ...json, encrypted_content: '' });
  });

  test('an answer that begins with a byte order mark is read', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, (response) => {
      response.end(`\ufeff${JSON.stringify(answered.json)}`);
    });
    const { stderr } = await here.run(run);
    expect(stderr).toContain('for $0.0020');
    const scores = await here.run('export scores --workspace acme');
    expect(scores.stdout).toContain('"total_runs":1');
  });

  test('a cost below zero does not raise a budget', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: -5 };
    const here = await startCollecting(
      await create(),
      { prompts: 1 },
      { json: { ...answered.json, usage } },
    );
    await here.run(run);
    // Without a cost that can be true it is charged at its bound.
    expect(await budget(here)).toMatchObject({ spent_usd: 0.01, held_usd: 0 });
  });
});
