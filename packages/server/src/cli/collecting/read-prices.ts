import { z } from 'zod';
import type { PriceRow } from '../../collect/engines/prices.ts';
import { Faults } from '../../rows/fault.ts';
import { readRows } from '../../rows/read-file.ts';
import type { Row } from '../../rows/row.ts';
import { openSource } from '../../rows/source.ts';
import { parseDay } from '../../values/time/moment.ts';
import type { Io } from '../terminal/io.ts';

const usd = z.number().min(0).max(1_000_000);

/** Each field, described by its expected form. */
const shape = z.object({
  engine: z.string().min(1).describe('the name or the kind of an engine, such as chatgpt_api'),
  model: z.string().min(1).describe("the engine's model"),
  input: usd.describe('USD per million tokens read'),
  cached: usd.optional().describe('USD per million tokens read from a cache, or nothing'),
  output: usd.describe('USD per million tokens written'),
  searches: usd.optional().describe('USD per 1,000 searches, or nothing'),
  currency: z.literal('USD').optional().describe('USD: no other currency is known'),
  from: z
    .string()
    .refine((day) => parseDay(day) === day)
    .describe('the day from which the price holds, such as 2026-11-01'),
  source: z.string().optional().describe('where the price was read'),
});

const numbers = new Set(['input', 'cached', 'output', 'searches']);

/** Reads the operator's prices: NDJSON, JSON or CSV. Throws a `Refusal` that names line and field. */
export async function readPrices(
  path: string | undefined,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<PriceRow[]> {
  if (path === undefined) return [];
  const source = await openSource(path, { stdin });
  const faults = new Faults();
  const prices = new Map<string, PriceRow>();
  const options = { faults, fields: Object.keys(shape.shape), array: 'prices' };
  for await (const rows of readRows(source, options)) {
    for (const row of rows) {
      const price = toPrice(row, faults);
      if (price === undefined) continue;
      const key = JSON.stringify([price.engine, price.model, price.checked]);
      if (prices.has(key)) {
        const expected = 'one price of an engine and model from a day on';
        faults.add({ line: row.line, field: 'from', expected, found: price.checked });
      }
      prices.set(key, price);
    }
  }
  faults.refuse(source.name);
  return [...prices.values()];
}

function toPrice({ line, isText, value }: Row, faults: Faults): PriceRow | undefined {
  const read = Object.fromEntries(
    Object.entries(value).map(([name, cell]) => [name, isText ? parseCell(name, cell) : cell]),
  );
  const { data, error } = shape.safeParse(read);
  if (data === undefined) {
    for (const [name, { description: expected = '' }] of Object.entries(shape.shape)) {
      if (error.issues.some(({ path }) => path[0] === name)) {
        faults.add({ line, field: name, expected, found: value[name] });
      }
    }
    return undefined;
  }
  const { cached, searches, from: checked, source = '', engine, model, input, output } = data;
  return {
    engine,
    model,
    input,
    output,
    checked,
    source,
    ...(cached !== undefined && { cached }),
    ...(searches !== undefined && { searches }),
  };
}

/** Converts a cell of CSV. Text that isn't a number stays text, and is refused later. */
function parseCell(name: string, cell: unknown): unknown {
  if (cell === '') return undefined;
  const isNumber = numbers.has(name) && /^\d+(?:\.\d+)?$/.test(String(cell));
  return isNumber ? Number(cell) : cell;
}
