import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isEverythingTested } from '../../../test/cases.ts';
import { z } from 'zod';
import { keyChecksum, keyPrefix, endpoints } from '@overheard/contract';
import { connectAddress, keyed } from './connect.ts';
import { startDemo } from './demo.ts';
import { program as toolServer } from './line-host.ts';

const quota = 60;

const names = endpoints.map(({ name }) => `get_${name.replaceAll('-', '_')}`);
const arrays = new Map(
  endpoints.map(({ name, array }) => [`get_${name.replaceAll('-', '_')}`, array]),
);

const resultSchema = z.object({
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});
const rowsSchema = z.array(z.record(z.string(), z.unknown()));

let demo: ChildProcess;
let environment: { OVERHEARD_API_KEY: string; OVERHEARD_BASE_URL: string };

beforeAll(async () => {
  const { child, key, url } = await startDemo({ quota });
  demo = child;
  environment = { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: url };
});
afterAll(async () => {
  if (demo.exitCode !== null) return;
  demo.kill();
  await once(demo, 'exit');
});

function read(result: unknown) {
  const { content, structuredContent, isError } = resultSchema.parse(result);
  return { text: content[0].text, structured: structuredContent, isError };
}

/** A tool's rows with the names of their columns. */
function rowsOf(name: string, structured: Record<string, unknown> = {}) {
  const { columns, [arrays.get(name) ?? '']: listed } = structured;
  return rowsSchema.parse(columns === undefined ? listed : keyed(columns, listed));
}

/** Every tool once, with what a client got: rows that fit the served schema, and the same as text. */
function expectAnswer(name: string, result: unknown): void {
  const { text, structured, isError } = read(result);
  expect(isError, text).toBe(false);
  const rows = rowsOf(name, structured);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.parse(text)).toEqual(structured);
  const { row } = endpoints.find(({ array }) => array === arrays.get(name)) ?? endpoints[0];
  // A name may stand beside an id, and fields that are null are left out of figures.
  const shaped = z.looseObject(row.shape).partial();
  // Answers, reports and quotes are shaped by hand.
  if (['get_answers', 'get_report', 'get_reports', 'get_stances'].includes(name)) return;
  for (const each of rows) expect(shaped.safeParse(each).error).toBeUndefined();
}

async function connect(
  mode: 'legacy' | 'auto' | { pin: string },
  env: Record<string, string> = environment,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [toolServer], env }),
  );
  return client;
}

async function connectServer(mode: 'legacy' | 'auto' | { pin: string }): Promise<Client> {
  const { OVERHEARD_API_KEY: apiKey, OVERHEARD_BASE_URL: url } = environment;
  return (await connectAddress({ url, apiKey, mode })).host;
}

const eras = [
  ['as before the handshake was removed', 'legacy', '2025-11-25'],
  ['of its own choice', 'auto', '2026-07-28'],
  ['pinned to the newest revision', { pin: '2026-07-28' }, '2026-07-28'],
] as const;

// `npm test` runs the oldest and the newest.
describe.each(eras.filter((_, place) => isEverythingTested || place !== 1))(
  'the official client %s',
  (_title, mode, revision) => {
    test.each([
      ['overheard-mcp', () => connect(mode)],
      ['the address of a server', () => connectServer(mode)],
    ])('the official client lists and calls every tool of %s', async (_program, open) => {
      const client = await open();
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getInstructions()).toContain('get_detections');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(names);
      // This client checks results against the output schemas itself, and throws.
      for (const name of names) expectAnswer(name, await client.callTool({ name, arguments: {} }));
      await client.close();
    });
  },
);

test('@ai-sdk/mcp lists and calls every tool', async () => {
  const transport = new StdioMCPTransport({
    command: process.execPath,
    args: [toolServer],
    env: environment,
  });
  const client = await createMCPClient({ transport });
  const tools = await client.tools();
  expect(Object.keys(tools)).toEqual(names);
  for (const name of names) {
    const call = { toolCallId: name, messages: [], context: {} };
    expectAnswer(name, await tools[name]?.execute({}, call));
  }
  await client.close();
});

describe('as a user asks', () => {
  test('a prompt leads to its detections, an action to its prompt', async () => {
    const client = await connect('legacy');
    const ask = async (name: string, args: Record<string, unknown>) =>
      read(await client.callTool({ name, arguments: args })).structured ?? {};
    const actions = await ask('get_actions', { status: 'open', limit: 50 });
    const action = rowsOf('get_actions', actions).find((row) => row['prompt_id'] !== null);
    const promptId = action?.['prompt_id'];
    expect(action?.['prompt']).toEqual(expect.any(String));
    expect(promptId).toEqual(expect.any(String));
    const prompts = await ask('get_prompts', { limit: 500 });
    expect(rowsOf('get_prompts', prompts).map(({ id }) => id)).toContain(promptId);
    const { page, notes } = await ask('get_detections', { prompt_id: promptId });
    expect(page).toMatchObject({ matched: expect.any(Number) });
    expect(JSON.stringify(notes)).toContain('The brand is cited in ');
    await client.close();
  });

  test('a key that the server does not know is explained', async () => {
    const beginning = keyPrefix + '0'.repeat(32);
    const env = { ...environment, OVERHEARD_API_KEY: beginning + keyChecksum(beginning) };
    const client = await connect('auto', env);
    const { isError, text } = read(await client.callTool({ name: 'get_scores', arguments: {} }));
    expect(isError).toBe(true);
    expect(text).toContain('refused the API key (401 invalid_api_key)');
    await client.close();
  });

  test(
    'a quota that is spent says how long to wait, and the other tools go on',
    { tags: ['long'] },
    async () => {
      const client = await connect('auto');
      const hits = async (from: Client) =>
        read(await from.callTool({ name: 'get_agent_hits', arguments: { limit: 1 } }));
      for (let calls = 0; calls < quota; calls++) await hits(client);
      // Rows read before are served with their age; a host that has read nothing has to wait.
      expect((await hits(client)).text).toMatch(
        /The quota of this tool is spent \(429\): these rows are \d+ s old\. Newer ones in \d+ s\./,
      );
      const other = await connect('auto');
      expect((await hits(other)).text).toMatch(
        /The quota of this tool is spent \(429\)[^]*Wait \d+ s\./,
      );
      await other.close();
      expectAnswer('get_scores', await client.callTool({ name: 'get_scores', arguments: {} }));
      await client.close();
    },
  );

  test('a tool call after the server was stopped explains that', { tags: ['long'] }, async () => {
    const client = await connect('auto');
    expectAnswer('get_scores', await client.callTool({ name: 'get_scores', arguments: {} }));
    demo.kill();
    await once(demo, 'exit');
    const { isError, text } = read(await client.callTool({ name: 'get_scores', arguments: {} }));
    expect(isError).toBe(true);
    expect(text).toMatch(/Nothing responds at [^]*`overheard serve`/);
    await client.close();
  });
});
