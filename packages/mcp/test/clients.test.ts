import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '@overheard/contract';
import { connectAddress, keyed } from './connect.ts';
import { startDemo } from './demo.ts';
import { program as toolServer } from './line-host.ts';

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
  const { child, key, url } = await startDemo({ quota: 0 });
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
  mode: 'legacy' | 'auto',
  env: Record<string, string> = environment,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [toolServer], env }),
  );
  return client;
}

async function connectServer(mode: 'legacy' | 'auto'): Promise<Client> {
  const { OVERHEARD_API_KEY: apiKey, OVERHEARD_BASE_URL: url } = environment;
  return (await connectAddress({ url, apiKey, mode })).host;
}

test.each([
  ['overheard-mcp with a handshake', '2025-11-25', () => connect('legacy')],
  ["a server's address without a handshake", '2026-07-28', () => connectServer('auto')],
] as const)('the official client lists and calls every tool of %s', async (_, revision, open) => {
  const client = await open();
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(client.getInstructions()).toContain('get_detections');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(names);
  // This client checks results against the output schemas itself, and throws.
  for (const name of names) expectAnswer(name, await client.callTool({ name, arguments: {} }));
  await client.close();
});

test('@ai-sdk/mcp lists and calls every tool', { tags: ['long'] }, async () => {
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
