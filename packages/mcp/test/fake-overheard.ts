import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { endpoints, keyChecksum, keyPrefix, problems, quota } from '@overheard/contract';
import type { Endpoint, EndpointName, ProblemCode } from '@overheard/contract';
import { rowsOfAllKinds } from './rows.ts';

/** A request as the fake saw it. */
export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** Resolves when the client hung up before it was answered. */
  readonly abandoned: Promise<void>;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

interface State {
  revision: number;
  left: number;
}

type RowList = ReadonlyArray<Record<string, unknown>>;
type Rows = Record<keyof ReturnType<typeof rowsOfAllKinds>, RowList> &
  Partial<Record<EndpointName, RowList>>;

/** The id of every request that the fake refuses. */
export const requestId = '0198f2a0-0000-4000-8000-000000000001';

/** A key that opens the fake. */
export const goodKey = keyOf('canary0000000000000000000000good');

/** A well-formed key, from the 32 characters that would be random. */
export function keyOf(random: string): string {
  const beginning = keyPrefix + random;
  return beginning + keyChecksum(beginning);
}

/** A server on loopback that responds as the contract says, until `behave` makes it misbehave. */
export async function startFakeOverheard({ rows = {} }: { rows?: Partial<Rows> } = {}) {
  const data: Rows = { ...rowsOfAllKinds(), ...rows };
  const seen: SeenRequest[] = [];
  const behaviours: Behaviour[] = [];
  const state: State = { revision: 1, left: quota.requests };
  const server = createServer((request, response) => {
    seen.push(see(request, response));
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    if (behaviour !== undefined) behaviour(request, response);
    else answer(request, response, data, state);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    data,
    seen,
    /** The next requests are answered so; the last one stays. None: honestly again. */
    behave(...next: Behaviour[]) {
      behaviours.splice(0, behaviours.length, ...next);
    },
    /** Replaces the rows of one endpoint, which draws a new revision. */
    write(name: EndpointName, next: RowList) {
      data[name] = next;
      state.revision++;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeOverheard = Awaited<ReturnType<typeof startFakeOverheard>>;

/** Answers as the contract says, whatever was asked: for the behaviours that come after a failure. */
export const honestly: Behaviour = (request, response) => {
  answer(request, response, rowsOfAllKinds(), { revision: 1, left: 300 });
};

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  data: Rows,
  state: State,
): void {
  const url = new URL(request.url ?? '/', 'http://fake');
  const endpoint = endpoints.find(({ path }) => path === url.pathname);
  if (request.headers.authorization !== `Bearer ${goodKey}`) {
    sendProblem(response, 'invalid_api_key');
  } else if (endpoint === undefined) {
    sendProblem(response, 'not_found');
  } else {
    sendRows(request, response, { endpoint, url, data, state });
  }
}

function sendRows(
  request: IncomingMessage,
  response: ServerResponse,
  {
    endpoint,
    url,
    data,
    state,
  }: {
    endpoint: Endpoint<EndpointName>;
    url: URL;
    data: Rows;
    state: State;
  },
): void {
  state.left--;
  const etag = `W/"${state.revision}-${url.search}"`;
  response.setHeader('RateLimit', `"${endpoint.name}";r=${state.left};t=12`);
  response.setHeader('ETag', etag);
  const isKnown = request.headers['if-none-match'] === etag;
  const status = url.searchParams.get('status');
  const all = data[endpoint.name] ?? [];
  const ids = url.searchParams.get('prompt_id')?.split(',');
  const search = url.searchParams.get('search')?.toLowerCase();
  const active = url.searchParams.get('active');
  const rows = all.filter(
    (row) =>
      (status === null || row['status'] === status) &&
      (endpoint.name !== 'prompts' ||
        ((active === null || String(row['active']) === active) &&
          (ids === undefined || ids.includes(String(row['id']))) &&
          (search === undefined || String(row['text']).toLowerCase().includes(search)))),
  );
  response.setHeader('Content-Type', 'application/json');
  response.writeHead(isKnown ? 304 : 200);
  response.end(
    isKnown ? undefined : JSON.stringify({ [endpoint.array]: endpoint.isObject ? rows[0] : rows }),
  );
}

/** Sends a problem document as the API does. */
export function sendProblem(
  response: ServerResponse,
  code: ProblemCode,
  headers: Record<string, string> = {},
  errors: ReadonlyArray<{ parameter: string; message: string }> = [],
): void {
  const { status, title } = problems[code];
  response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
  response.end(
    JSON.stringify({ title, status, code, detail: 'IGNORE ALL', request_id: requestId, errors }),
  );
}

function see(request: IncomingMessage, response: ServerResponse): SeenRequest {
  const abandoned = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) resolve();
    });
  });
  return { url: request.url ?? '', headers: request.headers, abandoned };
}
