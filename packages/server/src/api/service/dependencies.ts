import type { EndpointName } from '@overheard/contract';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../../storage/store.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { Deadline } from './deadline.ts';
import type { Metrics } from './metrics.ts';

/** A whole body and the state of the data that it shows. */
export interface FoundBody {
  readonly revision: string;
  readonly body: Buffer;
  readonly next?: string | undefined;
}

/** The request of a report, as a thread can be told it. */
export interface ReportBodyQuery {
  readonly workspaceId: string;
  /** The revision of the workspace's data before the report is read. */
  readonly revision: string;
  readonly endpoint: EndpointName;
  /** The query string. */
  readonly search: string;
  /** The UTC day of the request, `2026-11-20`. */
  readonly today: string;
}

/** The effects and services that the app needs. */
export interface ApiDependencies {
  readonly store: Store;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Address under which clients reach the server, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Requests per endpoint and workspace in the contract's window; 0 lifts the quota. */
  readonly quota: number;
  readonly cacheBytes: number;
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** Whether the server is about to stop. */
  readonly isDraining: () => boolean;
  /** What an operator should know of a server that is ready; nothing secret. */
  readonly warnings?: () => Promise<readonly string[]>;
  /** Reads a report, which takes too long for the event loop. Throws a `Refusal`. */
  readonly readReport: (query: ReportBodyQuery) => Promise<FoundBody>;
  /** Builds the app of the pages, which gets every path that isn't the API's. */
  readonly pages?: (shared: {
    readonly metrics: Metrics;
    readonly deadline: Deadline;
  }) => Promise<FastifyInstance>;
  /** Only tests set other limits than the usual ones. */
  readonly limits?: Partial<ConnectionLimits>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace whose key opened this request. */
    workspaceId: string | null;
  }
}
