import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
import { countTokens } from '../../../mcp/test/count-tokens.ts';
import { connectHost } from '../../../mcp/test/connect.ts';
import { startFakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import type { FakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import { argumentsOf } from '../call/arguments.ts';
import { instructions } from '../serve/server.ts';
import { servedTools } from '../serve/served-tools.ts';
import { tools } from './all-tools.ts';

const served = servedTools();

test('there is one tool for each endpoint, in the order of the contract', () => {
  expect(tools.map((tool) => tool.endpoint.name)).toEqual(endpoints.map(({ name }) => name));
  expect(tools.map((tool) => tool.name)).toEqual(
    endpoints.map(({ name }) => `get_${name.replaceAll('-', '_')}`),
  );
});

test('a model reads at most 340 tokens for one tool, and 3,400 for all', () => {
  const costs = served.map(({ name, description, inputSchema }) =>
    countTokens(JSON.stringify({ name, description, inputSchema })),
  );
  expect(Math.max(...costs)).toBeLessThanOrEqual(340);
  expect(costs.reduce((a, b) => a + b)).toBeLessThanOrEqual(3400);
});

test('hosts cut instructions and descriptions at 2,000 characters: none is longer', () => {
  for (const text of [instructions, ...served.map(({ description }) => description)]) {
    expect(text.length).toBeLessThanOrEqual(2000);
  }
});

describe.each(tools)('$name', (tool) => {
  const own = new Set<string>([
    ...tool.endpoint.fields,
    ...argumentsOf(tool).map(({ name }) => name),
  ]);

  test('every tool takes every query parameter of its endpoint or its own since and until, and a limit and a cursor', () => {
    const names = argumentsOf(tool).map(({ name }) => name);
    const replaced = new Map(
      Object.entries(
        names.includes('since') ? { from: 'since', to: 'until' } : { since: 'cursor' },
      ),
    );
    const expected = Object.keys(tool.endpoint.query.shape).map(
      (name) => replaced.get(name) ?? name,
    );
    expect(names).toEqual(expect.arrayContaining(expected));
    expect(names.slice(-2)).toEqual(tool.endpoint.isObject ? ['from', 'to'] : ['limit', 'cursor']);
    expect(new Set(names).size).toBe(names.length);
  });

  test('every tool is read-only, and its optional fields are no nullable ones', () => {
    const definition = served.find(({ name }) => name === tool.name);
    expect(definition?.annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(JSON.stringify(definition?.inputSchema)).not.toContain('null');
    expect(definition?.inputSchema['required']).toBeUndefined();
  });

  test('every tool names in its description only fields and arguments that it has', () => {
    const named = [...tool.description.matchAll(/`(?<name>[^`]+)`/g)];
    expect(
      named.map(({ groups }) => groups?.['name']).filter((name) => !own.has(name ?? '')),
    ).toEqual([]);
    const others = [...tool.description.matchAll(/get_[a-z_]+/g)].map(([name]) => name);
    const known = new Set(tools.map(({ name }) => name));
    expect(others.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('called without arguments', () => {
  let fake: FakeOverheard;
  let host: Awaited<ReturnType<typeof connectHost>>;
  beforeAll(async () => {
    fake = await startFakeOverheard();
    host = await connectHost({ url: fake.url });
    // The client validates results against the output schemas of `tools/list`.
    await host.host.listTools();
  });
  afterAll(async () => {
    await host.close();
    await fake.close();
  });

  test.each(tools)(
    '$name gives rows with the fields of the contract, in its order, and a name beside an id',
    async ({ name, beside, lean, endpoint, shape }) => {
      const { rows, text, structured, page } = await host.call(name);
      expect(rows.length).toBeGreaterThan(2);
      const isLeft = ([field, value]: readonly [string, unknown]) =>
        lean === undefined || (value !== null && !lean.without.some((each) => each === field));
      const given = fake.data[endpoint.name]?.slice(0, rows.length) ?? [];
      if (shape !== undefined) return;
      const own = rows.map((row) =>
        Object.entries(row).filter(([field]) => field !== beside?.field),
      );
      expect(own).toEqual(given.map((row) => Object.entries(row).filter(isLeft)));
      expect(Object.keys(structured ?? {})).toEqual([
        'columns',
        endpoint.array,
        'page',
        'quota',
        'notes',
      ]);
      expect(JSON.parse(text)).toEqual(structured);
      expect(page['returned']).toBe(rows.length);
    },
  );

  test.each(tools)('$name fits 1,900 tokens, one row a line', async (tool) => {
    const { rows, text, structured } = await host.call(tool.name);
    expect(countTokens(text)).toBeLessThanOrEqual(1900);
    const lines = text.split('\n');
    expect(lines).toHaveLength(rows.length + 2);
    expect(lines.slice(1, -1).map((line) => JSON.parse(line.replace(/,$/, '')))).toEqual(
      structured?.[tool.endpoint.array],
    );
  });

  test.each(tools)('$name says what the rows add up to', async (tool) => {
    const { notes } = await host.call(tool.name);
    expect(notes).toMatchSnapshot();
  });
});
