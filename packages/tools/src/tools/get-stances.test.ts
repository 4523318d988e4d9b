import { expect, onTestFinished, test } from 'vitest';
import { connectHost } from '../../../mcp/test/connect.ts';
import { startFakeOverheard } from '../../../mcp/test/fake-overheard.ts';

async function aHost() {
  const fake = await startFakeOverheard();
  const host = await connectHost({ url: fake.url });
  onTestFinished(async () => {
    await host.close();
    await fake.close();
  });
  return { fake, host };
}

test('the brand comes first, then who is warned against most, each with one quote, and the notes say how far the judge was checked', async () => {
  const { fake, host } = await aHost();
  const [brand, ...others] = fake.data.stances;
  fake.data.stances = [brand, ...others].flatMap((row, index) =>
    row === undefined ? [] : [{ ...row, advised_against: index }],
  );
  const { rows, notes } = await host.call('get_stances');
  expect(rows.map((row) => row['advised_against'])).toEqual([
    0,
    ...others.map((_, index) => others.length - index),
  ]);
  for (const row of rows) expect(row['quotes']).toHaveLength(1);
  expect(notes.join(' ')).toContain('was checked: kappa 0.74 (0.63 to 0.85) over 100 labels');
});

test('an unchecked judge is said to be one, and its rows have quotes and no figures', async () => {
  const { fake, host } = await aHost();
  fake.data.stances = fake.data.stances.map((row) => ({
    ...row,
    first_choice: null,
    advised_against: null,
    recommended_rate: null,
    kappa: null,
    kappa_low: null,
    kappa_high: null,
    labels: 0,
  }));
  const { rows, notes } = await host.call('get_stances');
  expect(notes.join(' ')).toContain('Nobody has checked the judge chatgpt_api: no figures.');
  expect(rows[0]).not.toHaveProperty('recommended_rate');
  expect(rows[0]?.['quotes']).toHaveLength(1);
});
