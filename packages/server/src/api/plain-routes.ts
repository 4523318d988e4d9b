import type { RouteHandlerMethod } from 'fastify';
import { problemCodes, problemPath, problems } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';
import { unavailable } from '../problems.ts';
import { version } from '../version.ts';
import { readOperatorFacts } from '../reports/operator-facts.ts';
import type { Deadline } from './service/deadline.ts';
import type { Description } from './response/description.ts';
import type { ApiDependencies } from './service/dependencies.ts';
import { negotiateEncoding } from './response/encoding.ts';
import { matchesTag } from './response/entity-tag.ts';
import type { Metrics } from './service/metrics.ts';
import { createOperatorMetrics } from './service/operator-metrics.ts';

/** A route that needs no key. */
export interface PlainRoute {
  readonly path: string;
  readonly handler: RouteHandlerMethod;
}

/** Problem pages load nothing, and nobody may frame them. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

/** Health, metrics, the description of the API and the pages of the problem codes. */
export function plainRoutes(
  {
    store,
    clock,
    lastBackupMs,
    waitingBytes,
    isDraining,
    warnings = async () => [],
  }: ApiDependencies,
  {
    metrics,
    description,
    deadline,
  }: { metrics: Metrics; description: Description; deadline: Deadline },
): readonly PlainRoute[] {
  const setGauges = createOperatorMetrics(metrics.registry);
  return [
    { path: '/healthz', handler: health },
    { path: '/readyz', handler: readiness },
    { path: '/metrics', handler: measurements },
    { path: '/api/v1/openapi.json', handler: describe },
    ...problemCodes.map(pageRoute),
  ];

  /** Responds that the process is alive. */
  async function health(...[, reply]: Parameters<RouteHandlerMethod>): Promise<unknown> {
    return reply.header('Cache-Control', 'no-store').send({ status: 'ok', version });
  }

  /** Responds whether the server can serve requests and is not stopping. */
  async function readiness(...[, reply]: Parameters<RouteHandlerMethod>): Promise<unknown> {
    if (isDraining()) throw unavailable('The server is about to stop.');
    await deadline.waitFor(store.ping());
    const notes = await deadline.waitFor(warnings());
    const detail = notes.length === 0 ? {} : { warnings: notes };
    return reply.header('Cache-Control', 'no-store').send({ status: 'ready', ...detail });
  }

  async function measurements(...[, reply]: Parameters<RouteHandlerMethod>): Promise<unknown> {
    // A scrape must also succeed while the database is away.
    const facts = await deadline.waitFor(readOperatorFacts(store, clock())).catch(() => undefined);
    const backupMs = await lastBackupMs?.().catch(() => undefined);
    setGauges({
      facts,
      connections: store.connections?.(),
      backupMs,
      waitingBytes: await waitingBytes?.().catch(() => undefined),
    });
    const text = await metrics.text();
    return reply.header('Cache-Control', 'no-store').type(metrics.registry.contentType).send(text);
  }

  async function describe(...[request, reply]: Parameters<RouteHandlerMethod>): Promise<unknown> {
    const { tag, encodeAs: encoded } = description.document();
    reply.headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: tag });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
    const wanted = negotiateEncoding(request.headers['accept-encoding']);
    const { encoding, body } = await encoded(wanted);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(body);
  }
}

function pageRoute(code: ProblemCode): PlainRoute {
  const page = problemPage(code);
  return {
    path: problemPath(code),
    handler: async (_request, reply) => reply.headers(pageHeaders).send(page),
  };
}

/** The page that a problem's `type` leads to: what happened, and how to fix it. */
function problemPage(code: ProblemCode): string {
  const { title, status, meaning, fix } = problems[code];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code} - Overheard</title>
<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style>
<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<h2>What happened</h2>
<p>${html(meaning)}</p>
<h2>How to fix it</h2>
<p>${html(fix)}</p>
</html>
`;
}

/** Makes HTML of one of our own sentences, in which backquotes mark code. */
function html(sentence: string): string {
  return sentence
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
