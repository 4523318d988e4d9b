import type { RecentFailure } from './failure-log.ts';
import type { EndpointName } from '@overheard/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { QuotaState, Store } from '../../storage/store.ts';
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

/** A read of an endpoint by a program inside the server. */
export interface LocalRead {
  readonly workspaceId: string;
  /** The endpoint's short name. */
  readonly endpoint: string;
  /** The query string. */
  readonly search: string;
  /** The entity tag of the state that the reader has already. */
  readonly knownTag: string | undefined;
  readonly signal: AbortSignal;
}

/** What an HTTP response to the same read would say. */
export interface LocalResponse {
  readonly tag: string;
  readonly quota: QuotaState | undefined;
  /** The bytes of the body; undefined if the reader has this state already. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** The query of the next page. */
  readonly next?: string | undefined;
}

/** The parts of the API that the app of programs uses. */
export interface ProgramParts {
  readonly metrics: Metrics;
  readonly deadline: Deadline;
  /** Throws `missing_api_key`, `invalid_api_key` or `too_many_failures`. */
  readonly openWorkspace: (request: FastifyRequest) => Promise<string>;
  /** Counts against the quota. Throws what the endpoint would respond with. */
  readonly read: (read: LocalRead) => Promise<LocalResponse>;
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
  /** When the newest kept backup was made, in milliseconds since 1970. */
  readonly lastBackupMs?: (() => Promise<number | undefined>) | undefined;
  /** The newest failed requests, the last one first. */
  readonly failures?: RecentFailure[] | undefined;
  /** Reads how many bytes of received log lines wait; undefined if the server takes none. */
  readonly waitingBytes?: (() => Promise<number>) | undefined;
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
  /** Builds the app that takes bodies from programs: `/mcp`. */
  readonly programs?: (parts: ProgramParts) => Promise<FastifyInstance>;
  /** Only tests set other limits than the usual ones. */
  readonly limits?: Partial<ConnectionLimits>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace whose key opened this request. */
    workspaceId: string | null;
  }
}
