import type { Surface } from '@overheard/contract';
import type { Client, ClientResponse } from '../read/client.ts';
import type { Tool } from '../tools/tool.ts';
import type { Call } from './arguments.ts';
import { markOfData } from './cursor.ts';
import type { Position } from './cursor.ts';

interface CallContext {
  readonly tool: Tool;
  readonly call: Call;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** What a result says of the surface that the call did not choose. */
export const surfaceNotes: Readonly<Record<Surface, string>> = {
  app: 'Figures are of apps alone; `surface` api has those of APIs, if there are any.',
  api: 'No app has figures here: these are of APIs, which people do not see.',
};

/**
 * The rows of a call, of one surface if the tool never pools both: of apps if they have any, else
 * of APIs.
 */
export async function readSurface(
  { call, ...context }: CallContext,
  position: Position,
): Promise<{ response: ClientResponse; surface?: Surface }> {
  const { surface, engine, by, against } = call.query;
  const isChosen = [surface, engine, against].some((each) => each !== undefined) || by === 'engine';
  if (context.tool.isOfOneSurface === undefined || isChosen) {
    return { response: await readRows({ call, ...context }, position) };
  }
  const read = (only: Surface) => {
    const query = { ...call.query, surface: only };
    return readRows({ call: { ...call, query }, ...context }, position);
  };
  const response = await read('app');
  if (response.rows.length > 0) return { response, surface: 'app' };
  return { response: await read('api'), surface: 'api' };
}

/**
 * The rows of a call. A further page is cut from the same rows as the page before, without another
 * request.
 */
async function readRows(
  { tool, call, client, signal }: CallContext,
  { data, next }: Position,
): Promise<ClientResponse> {
  const query = {
    ...call.query,
    ...tool.always,
    ...(next === undefined ? {} : { [cursorOf(tool)]: next }),
  };
  const isOneRead = data !== undefined && tool.readsAllPages === undefined;
  const cached = isOneRead ? client.readCached(tool.endpoint, query) : undefined;
  if (cached !== undefined && markOfData(cached) === data) return cached;
  const first = await client.read(tool.endpoint, query, signal);
  if (tool.readsAllPages === undefined) return first;
  const rows = [...first.rows];
  let last = first;
  for (let page = 1; last.next !== undefined && page < pagesMax; page++) {
    last = await client.read(tool.endpoint, { ...query, [cursorOf(tool)]: last.next }, signal);
    rows.push(...last.rows);
  }
  return { ...first, rows, next: undefined, quota: last.quota };
}

/** The parameter of the endpoint that takes a cursor. */
function cursorOf({ endpoint }: Tool): string {
  return 'since' in endpoint.query.shape ? 'since' : 'cursor';
}

/** Pages of the API that one call reads at most, so that it does not spend the quota. */
const pagesMax = 20;
