import type { Endpoint } from '@overheard/contract';
import type { ToolRow } from '../tools/tool-row.ts';
import type { Quota } from './quota.ts';

/** The result of one read. */
export interface ClientResponse {
  readonly rows: readonly ToolRow[];
  /** Changes whenever the rows do; undefined if the server sent none. */
  readonly etag: string | undefined;
  readonly quota: Quota | undefined;
  /** The cursor of the API's next page, if there is one. */
  readonly next?: string | undefined;
  /** Set if the quota is spent and the rows are those of an earlier response. */
  readonly stale?: { readonly seconds: number; readonly waitSeconds: number | undefined };
}

/** Reads the endpoints of one workspace, over HTTP or in the server itself. */
export interface Client {
  /** Throws a failure, or the signal's reason when it aborts. */
  read(
    endpoint: Endpoint,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ClientResponse>;
  /** The rows of the last response to this request, from the cache; undefined if it has none. */
  readCached(
    endpoint: Endpoint,
    query: Readonly<Record<string, string>>,
  ): ClientResponse | undefined;
}
