// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import {
  callback,
  clientDocument,
  clientId,
  newMember,
  startServer,
} from '../../server/test/servers/assistants.ts';
import type { Server } from '../../server/test/servers/assistants.ts';
import type { Person } from '../../server/test/browsers/people.ts';
import { eachStore } from '../../server/test/stores/stores.ts';

type Kept = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type KeptClient = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;

/** What a host keeps of a connection; `sentTo` is where it sent its person. */
function newProvider(clientMetadataUrl: string | undefined) {
  let client: KeptClient;
  let tokens: Kept;
  let kept = '';
  let discovered: OAuthDiscoveryState | undefined;
  const sentTo: URL[] = [];
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: { client_name: 'Official', redirect_uris: [callback] },
    state: () => 'the state',
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: (url) => void sentTo.push(url),
    saveCodeVerifier: (given) => {
      kept = given;
    },
    codeVerifier: () => kept,
    saveDiscoveryState: (given) => {
      discovered = given;
    },
    discoveryState: () => discovered,
  };
  return { provider, sentTo, tokens: () => tokens };
}

/** Lets the client that sent a person here read the workspace; where the person is sent back to. */
async function decide(
  server: Server,
  { person, slug }: { person: Person; slug: string },
  { pathname, search }: URL,
): Promise<URL> {
  const fields = { workspace: slug, decision: 'connect' };
  const { headers } = await server.visitor(person).post(pathname + search, fields);
  return new URL(String(headers.location));
}

eachStore({ title: 'the official programs', onBoth: false }, (open) => {
  test.for([
    ['a document', '2026-07-28'],
    ['registration', 'legacy'],
  ] as const)(
    'the official client connects by %s in the era %s, and goes on when its token has ended',
    async ([way, era]) => {
      let at = Date.now();
      const { store } = await open();
      const server = await startServer(store, {
        url: 'socket',
        connectors: way === 'registration' ? 'all' : 'documents',
        clock: () => at,
      });
      const member = await newMember(store, 'viewer', () => at);
      const { provider, sentTo, tokens } = newProvider(way === 'a document' ? clientId : undefined);
      const connect = () => {
        const mode = era === 'legacy' ? era : { pin: era };
        const host = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        const address = new URL('/mcp', server.place);
        const transport = new StreamableHTTPClientTransport(address, { authProvider: provider });
        onTestFinished(() => host.close());
        return { host, transport, connected: host.connect(transport) };
      };

      const first = connect();
      await expect(first.connected).rejects.toBeInstanceOf(UnauthorizedError);
      const back = await decide(server, member, sentTo[0] ?? new URL(server.place));
      await first.transport.finishAuth(back.searchParams);
      const { host, connected } = connect();
      await connected;
      const { content } = await host.callTool({ name: 'get_subjects' });
      expect(JSON.stringify(content)).toContain(`Brand of ${member.slug}`);

      const before = tokens();
      at += 3_600_000;
      await host.callTool({ name: 'get_subjects' });
      expect(tokens()?.access_token).not.toBe(before?.access_token);
      expect(sentTo).toHaveLength(1);
    },
  );

  test('every test of the official suite for authorization servers passes', async () => {
    const { store } = await open();
    const server = await startServer(store, { url: 'socket', clock: Date.now });
    const member = await newMember(store, 'viewer', Date.now);
    const [output, code] = await runSuite(server, member);
    expect(output).toMatch(/authorization-server-metadata-endpoint: 2 passed, 0 failed/);
    expect(output).toMatch(/authorization-code-grant: 1 passed, 0 failed/);
    expect(code, output).toBe(0);
  });
});

/** Runs the suite, and decides on the page to which it sends its user. */
async function runSuite(
  server: Server,
  member: Awaited<ReturnType<typeof newMember>>,
): Promise<[output: string, code: unknown]> {
  const folder = import.meta.resolve('@modelcontextprotocol/conformance/package.json');
  const program = fileURLToPath(new URL('dist/index.js', folder));
  const { client_id: id } = clientDocument;
  const options = ['--url', server.place, '--client-id', id, '--resource', `${server.place}/mcp`];
  const port = String(await freePort());
  const child = spawn(process.execPath, [program, 'authorization', ...options, '--port', port]);
  let output = '';
  let isSent = false;
  const note = (chunk: unknown) => {
    output += String(chunk);
    const url = /^http\S+authorize\?\S+$/m.exec(output)?.[0];
    if (url === undefined || isSent || !output.includes('Callback server started')) return;
    isSent = true;
    void decide(server, member, new URL(url)).then((back) => fetch(back));
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const [code] = await once(child, 'close');
  return [output, code];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
