import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Metrics of the server, in the text format of Prometheus. Labels contain no workspace. */
export interface Metrics {
  readonly registry: Registry;
  /** All figures as text, those of the process first. */
  text(): Promise<string>;
  observeRequest(observed: { route: string; status: number; seconds: number }): void;
  countCache(outcome: 'hit' | 'miss' | 'not_modified'): void;
  countQuotaFailure(): void;
  readonly openStreams: { inc(): void; dec(): void };
}

let ofProcess: Registry | undefined;

/** The figures of the process. Collected once, because each collection adds observers that are never removed. */
function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess, prefix: 'overheard_' });
  }
  return ofProcess;
}

/** Makes a separate registry, because two servers in one process must not share one. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const process = processRegistry();
  const requests = new Counter({
    name: 'overheard_http_requests_total',
    help: 'Responses, by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'overheard_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const cache = new Counter({
    name: 'overheard_answers_total',
    help: 'Where responses came from: the cache, a new read, or not modified.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const quotaFailures = new Counter({
    name: 'overheard_quota_failures_total',
    help: 'Requests that were admitted uncounted because the counters could not be written.',
    registers: [registry],
  });
  const openStreams = new Gauge({
    name: 'overheard_open_streams',
    help: 'Long responses that are being sent.',
    registers: [registry],
  });

  return {
    registry,
    text: () => Registry.merge([process, registry]).metrics(),
    openStreams,
    observeRequest: ({ route, status, seconds }) => {
      requests.labels(route, String(status)).inc();
      durations.labels(route).observe(seconds);
    },
    countCache: (outcome) => cache.labels(outcome).inc(),
    countQuotaFailure: () => quotaFailures.inc(),
  };
}
