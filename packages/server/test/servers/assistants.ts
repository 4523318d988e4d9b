/**
 * Assistants in a test: a server with the pages and the tools on a store, a host that connects to it
 * as claude.ai does, and the person who lets it.
 */
import { hash, randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import type { DocumentFetch } from '../../src/people/connectors/client-documents.ts';
import { exchangeCode } from '../../src/people/connectors/grant-tokens.ts';
import { listGrants, makeGrant } from '../../src/people/connectors/grants.ts';
import type { Store } from '../../src/storage/store.ts';
import { newPerson } from '../browsers/people.ts';
import type { Person } from '../browsers/people.ts';
import { Visitor, startWeb } from '../browsers/web.ts';
import { newTenant, nowMs, publicUrl, startApi } from './api.ts';

export const issuer = publicUrl;
export const resource = `${publicUrl}/mcp`;
export const clientId = 'https://assistant.example/oauth/client.json';
export const callback = 'https://assistant.example/callback';

/** The document of a client as its host publishes it. */
export const clientDocument = {
  client_id: clientId,
  client_name: 'Assistant',
  redirect_uris: [callback, 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
};

/** A web that has only the given document, at every address. */
export function serveDocument(
  document: unknown = clientDocument,
  init: ResponseInit = {},
): DocumentFetch {
  return () => Promise.resolve(Response.json(document, init));
}

interface ServerOptions {
  readonly connectors?: string;
  /** Its public address; `socket` is where it listens. */
  readonly url?: string;
  readonly clock?: () => number;
  readonly fetchDocument?: DocumentFetch;
}

/** The two apps of a server, without sockets, and what both have logged. */
export async function startServer(
  store: Store,
  {
    connectors = 'documents',
    url,
    clock = () => nowMs,
    fetchDocument = serveDocument(),
  }: ServerOptions = {},
) {
  let place = '';
  const ownUrl = () => (url === 'socket' ? place : (url ?? publicUrl));
  const shared = { connectors, clock, publicUrl: ownUrl };
  const web = await startWeb(store, { ...shared, fetchDocument });
  const api = await startApi(store, { ...shared, quota: 0, trustProxy: ['127.0.0.1'] });
  place = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, place), init);
  return {
    web,
    api,
    place,
    /** A browser in which the person is signed in. */
    visitor: ({ session }: Person) => {
      const visitor = new Visitor(web);
      visitor.cookies.set(`__Host-overheard-${new URL(ownUrl()).port || '443'}`, session);
      return visitor;
    },
    text: () => web.text() + api.text(),
    get,
    post: (path: string, fields: Parameters | string, address = '192.0.2.7') =>
      get(path, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address },
        body: new URLSearchParams(fields),
      }),
    /** Lists the tools with a token. */
    callTools: (token: string, headers: Parameters = {}) =>
      get('/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(token !== '' && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      }),
  };
}

/** A server on each of two stores of one database, as two processes have them. */
export function startServers(
  [one, two]: readonly [Store, Store],
  options: ServerOptions = {},
): Promise<readonly [Server, Server]> {
  return Promise.all([startServer(one, options), startServer(two, options)]);
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/** A member of a workspace of their own. */
export async function newMember(
  store: Store,
  role: 'viewer' | 'admin' = 'viewer',
  clock = () => nowMs,
) {
  const { workspaceId, slug, key } = await newTenant(store, { clock });
  return { workspaceId, slug, key, person: await newPerson(store, { workspaceId, role, clock }) };
}

export const verifier = randomBytes(32).toString('base64url');

/** The parameters with which a host sends a person to the server. */
export const asked = {
  response_type: 'code',
  client_id: clientId,
  redirect_uri: callback,
  scope: 'overheard:read',
  state: 'the state',
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
  resource,
};

export type Parameters = Readonly<Record<string, string>>;

/** The path of the page on which a person decides. */
export function authorizePath(parameters: Parameters = asked): string {
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
}

/** Lets a client read a workspace; the response sends the person back. */
export function consent(
  server: Pick<Server, 'visitor'>,
  { person, slug }: { person: Person; slug: string },
  parameters: Parameters = asked,
): Promise<LightMyRequestResponse> {
  const fields = { workspace: slug, decision: 'connect' };
  return server.visitor(person).post(authorizePath(parameters), fields);
}

/** The parameters that a person takes back to the client. */
export function wayBack({ headers }: LightMyRequestResponse): Record<string, string> {
  return Object.fromEntries(new URL(String(headers.location)).searchParams);
}

/** The form that exchanges a code. */
export function codeForm(code: string, more: Parameters = {}): Parameters {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    resource,
    ...more,
  };
}

/** The form that exchanges a refresh token. */
export function refreshForm(refresh_token: string, more: Parameters = {}): Parameters {
  return { grant_type: 'refresh_token', client_id: clientId, refresh_token, resource, ...more };
}

/** Connects a client from beginning to end. */
export async function connect(
  server: Server,
  member: { person: Person; slug: string },
  parameters: Parameters = asked,
): Promise<Tokens> {
  const { code = '' } = wayBack(await consent(server, member, parameters));
  const { client_id = '', redirect_uri = '' } = parameters;
  const form = codeForm(code, { client_id, redirect_uri });
  return readTokens(await server.post('/oauth/token', form));
}

const tokensSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
  refresh_token: z.string(),
  scope: z.literal('overheard:read'),
});

export type Tokens = z.infer<typeof tokensSchema>;

/** The tokens of a response; throws if it has none. */
export async function readTokens(response: Response): Promise<Tokens> {
  return tokensSchema.parse(await response.json());
}

/** Connects a client without a server; the id of the grant. */
export async function storeGrant(
  store: Store,
  { workspaceId, userId, clock }: { workspaceId: string; userId: string; clock: () => number },
): Promise<string> {
  const code = await makeGrant(store.access, {
    workspace_id: workspaceId,
    user_id: userId,
    client_id: clientId,
    client_name: clientDocument.client_name,
    host: 'assistant.example',
    resource,
    redirectUri: callback,
    challenge: asked.code_challenge,
    clock,
  });
  const request = { code, verifier, redirectUri: callback, clientId, resource, clock };
  await exchangeCode(store.access, request);
  const grants = await listGrants(store.access, { userId, clock });
  return grants.at(-1)?.id ?? '';
}

/** The status of a response and the error in it. */
export async function refusal(response: Response): Promise<readonly [number, unknown]> {
  return [response.status, Object(await response.json()).error];
}

/** The statuses of calls of the tools with a token on each server. */
export function statuses(servers: readonly Server[], token: string): Promise<number[]> {
  return Promise.all(servers.map(async (each) => (await each.callTools(token)).status));
}
