import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createServer } from '@overheard/tools';
import type { Client as OverheardClient } from '@overheard/tools';
import { z } from 'zod';
import { createResponseCache } from '../src/client/response-cache.ts';
import { createClient } from '../src/client/client.ts';
import { readConfig } from '../src/config.ts';
import type { RetryLimits } from '../src/client/retry.ts';
import { goodKey } from './fake-overheard.ts';

const content = z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1);
const rows = z.array(z.record(z.string(), z.unknown()));

/** A result as a host gets it. */
export interface HostResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
  /** The rows under the contract's array. */
  readonly rows: ReadonlyArray<Record<string, unknown>>;
  readonly notes: readonly string[];
  readonly page: Record<string, unknown>;
}

/** A host connected to the tool server, in this process and over the real protocol. */
export async function connectHost({
  url,
  apiKey = goodKey,
  limits = { retriesMax: 2, waitSecondsMax: 10, attemptMs: 60_000, totalMs: 300_000 },
}: {
  url: string;
  apiKey?: string | undefined;
  limits?: RetryLimits;
}) {
  const waits: number[] = [];
  const bugs: unknown[] = [];
  const timing = {
    now: () => performance.now(),
    random: () => 0.5,
    // Waits are noted and not waited for.
    sleep: async (milliseconds: number) => {
      waits.push(milliseconds);
      await sleep(1);
    },
  };
  const client = createClient({
    config: readConfig({ OVERHEARD_API_KEY: apiKey, OVERHEARD_BASE_URL: url }),
    fetch,
    timing,
    cache: createResponseCache(),
    userAgent: 'overheard-mcp/test',
    limits,
  });
  const server = createServer({
    program: { name: 'test', version: '1' },
    client,
    onBug: (bug) => bugs.push(bug),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const host = new Client({ name: 'test', version: '1' });
  await server.connect(ours);
  await host.connect(theirs);
  return {
    host,
    waits,
    bugs,
    async call(name: string, args: Record<string, unknown> = {}): Promise<HostResult> {
      return readResult(await host.callTool({ name, arguments: args }));
    },
    close: () => host.close(),
  };
}

/** What a client's result says; throws if it is not of our form. */
export function readResult(result: unknown): HostResult {
  const read = z
    .object({
      content,
      isError: z.boolean().default(false),
      structuredContent: z.record(z.string(), z.unknown()).optional(),
    })
    .parse(result);
  const structured = read.structuredContent;
  const { columns, ...others } = structured ?? {};
  const array = Object.keys(others)[0] ?? '';
  const listed = structured?.[array] ?? [];
  return {
    isError: read.isError,
    text: read.content[0]?.text ?? '',
    structured,
    rows: rows.parse(columns === undefined ? listed : keyed(columns, listed)),
    notes: z.array(z.string()).parse(structured?.['notes'] ?? []),
    page: z.record(z.string(), z.unknown()).parse(structured?.['page'] ?? {}),
  };
}

/** The rows with the names of their columns. */
export function keyed(columns: unknown, listed: unknown): unknown {
  const names = z.array(z.string()).parse(columns);
  return z
    .array(z.array(z.unknown()))
    .parse(listed)
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

/** A client for servers of which no tool is called. */
export const unusedClient: OverheardClient = {
  read: () => Promise.reject(new TypeError('Nothing should have been read.')),
  readCached: () => undefined,
};

/** A host connected to the tools at an address, as the official client does it. */
export async function connectAddress({
  url,
  apiKey,
  mode = 'auto',
}: {
  url: string;
  apiKey: string;
  mode?: 'legacy' | 'auto' | { pin: string };
}) {
  const host = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  await host.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return {
    host,
    async call(name: string, args: Record<string, unknown> = {}): Promise<HostResult> {
      return readResult(await host.callTool({ name, arguments: args }));
    },
    close: () => host.close(),
  };
}

/** Calls a tool until there is no further page. */
export async function readPages(
  { call }: Pick<Awaited<ReturnType<typeof connectAddress>>, 'call'>,
  name: string,
  args: Record<string, unknown>,
): Promise<HostResult[]> {
  const pages = [await call(name, args)];
  for (;;) {
    const cursor = pages.at(-1)?.page['next_cursor'];
    if (cursor === undefined) return pages;
    pages.push(await call(name, { ...args, cursor }));
  }
}
