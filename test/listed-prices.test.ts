import { findProvider } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Our engines whose models the list has, and the name of their vendor there. */
const vendors = [
  ['chatgpt_api', 'openai', /^(?:gpt|o\d|chatgpt)/],
  ['claude_api', 'anthropic', /^claude/],
  ['gemini_api', 'google', /^gemini/],
  ['grok_api', 'x-ai', /^grok/],
  ['mistral_api', 'mistral', /./],
  ['deepseek_api', 'deepseek', /./],
] as const;
/** Models that write no text. */
const otherKinds = /embed|image|audio|tts|transcribe|realtime|moderation|ocr|whisper|video|live/;

/** A price, or the price of short requests where long ones cost more. */
const amount = z.union([z.number(), z.object({ base: z.number() }).transform(({ base }) => base)]);
const price = z.object({
  input_mtok: amount,
  output_mtok: amount,
  cache_read_mtok: amount.optional(),
});

test('the table of prices is the one that its list has: npm run docs writes it', async () => {
  const table = vendors.flatMap(([engine, vendor, isOurs]) => {
    const models = findProvider({ providerId: vendor })?.models ?? [];
    expect([vendor, models.length > 0]).toEqual([vendor, true]);
    return models
      .filter(({ id }) => isOurs.test(id) && !otherKinds.test(id) && !id.includes(' '))
      .toSorted((left, right) => (left.id < right.id ? -1 : 1))
      .flatMap(({ id, prices }) =>
        datedPrices(prices).map((row) => [engine, id, ...row].join(' ')),
      );
  });
  expect(table.length).toBeGreaterThan(100);
  await expect(moduleOf(table)).toMatchFileSnapshot(
    '../packages/server/src/collect/engines/listed-prices.ts',
  );
});

/**
 * The prices of a model by the day from which each holds, the latest first: day, input, output and
 * cached input. Of prices by the time of day, the dearest of the day.
 */
function datedPrices(listed: unknown): string[][] {
  const all = z
    .array(
      z.object({
        constraint: z.looseObject({ start_date: z.string().optional() }).optional(),
        prices: z.unknown(),
      }),
    )
    .safeParse(listed).data ?? [{ prices: listed }];
  const rows = all.flatMap(({ constraint, prices }) => {
    const parsed = price.safeParse(prices).data;
    const day = constraint === undefined ? '-' : constraint.start_date;
    return parsed === undefined ? [] : [{ day, ...parsed }];
  });
  const latest = rows.findLast(({ day }) => day !== undefined);
  const hourly = rows.filter(({ day }) => day === undefined);
  const dearest = hourly.toSorted((left, right) => right.output_mtok - left.output_mtok)[0];
  return rows
    .filter(({ day }) => day !== undefined)
    .map((row) => (row === latest && dearest !== undefined ? { ...dearest, day: row.day } : row))
    .toReversed()
    .map((row) => [
      row.day ?? '-',
      String(row.input_mtok),
      String(row.output_mtok),
      String(row.cache_read_mtok ?? '-'),
    ]);
}

function moduleOf(table: readonly string[]): string {
  return `/**
 * Prices of models in USD per million tokens: engine, model, the day from which the price holds,
 * input, output, cached input. From https://github.com/pydantic/genai-prices (MIT), version 0.1.8.
 * \`npm run docs\` writes this table.
 */
export const listedPrices = \`
${table.join('\n')}
\`;
`;
}
