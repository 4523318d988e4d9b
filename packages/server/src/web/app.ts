import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFailureLimit } from '../access/failure-limit.ts';
import { logRequests } from '../api/request/request-log.ts';
import { newRequestId } from '../api/request/request-steps.ts';
import { splitTarget } from '../api/request/split-target.ts';
import { createFindDocument, fetchLimit } from '../people/connectors/client-documents.ts';
import { createGuessLimit } from '../people/guess-limit.ts';
import { createPasswordQueue } from '../people/password-queue.ts';
import { accesses } from '../people/roles.ts';
import { isRefusal } from '../refusals.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import { readAssets } from './assets.ts';
import { respondToFailures, respondToUnknown } from './response/failures.ts';
import { pagePipeline, requestPipeline } from './pipeline.ts';
import type { RequestState } from './pipeline.ts';
import { routes as allRoutes } from './routes.ts';
import { pageVary, sendAsset, sendDownload, sendPage, sendPng } from './response/send.ts';
import { PageFault } from './request/page-fault.ts';
import type {
  PageContext,
  Result,
  Route,
  SharedParts,
  WebDependencies,
} from './request/page-context.ts';
import { hash } from 'node:crypto';
import { matchesTag, readRevision } from '../api/response/entity-tag.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { version } from '../version.ts';

/** Forms are a few lines of text. */
const formBytesMax = 64 * 1024;

/** How often one network may open report links in a minute. */
const linkOpensMax = 120;

/** A path without a route. */
const nowhere = '//';

/**
 * Builds the pages without listening. The API's app passes it every path that isn't the API's own.
 * Throws for a route without a role.
 */
export async function buildWebApp(
  web: WebDependencies,
  shared: SharedParts,
  routes: readonly Route[] = allRoutes,
): Promise<FastifyInstance> {
  for (const { method, path, role } of routes) {
    if (!accesses.includes(role)) throw new Error(`${method} ${path} has no role`);
  }
  const app = fastify({
    trustProxy: [...web.trustProxy],
    genReqId: newRequestId,
    bodyLimit: formBytesMax,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_000_000 },
    rewriteUrl: ({ url = '' }) => {
      const { path, search } = splitTarget(url);
      if (!isReadable(path)) return nowhere;
      return search === '' ? path : `${path}?${search}`;
    },
  });
  app.decorateRequest('workspaceId', null);
  app.removeAllContentTypeParsers();
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: formBytesMax });
  const assets = readAssets();
  const limits = { queue: createPasswordQueue(), guesses: createGuessLimit(web.clock) };
  const { clock } = web;
  const linkLimit = createFailureLimit({ failuresMax: linkOpensMax, clock });
  const noteFetch = createFailureLimit({ ...fetchLimit, clock });
  const findDocument = createFindDocument({ ...web, noteFetch });
  const fault = { ...web, assets };
  const services = { ...fault, reportsOf: web.reports.of, linkLimit, limits, findDocument };
  for (const step of requestPipeline(web)) app.addHook('onRequest', step);
  logRequests(app, { log: web.log, metrics: shared.metrics });
  respondToFailures(app, fault);
  respondToUnknown(app, fault, routes);

  for (const each of [assets.style, assets.script]) {
    app.get(each.path, (request, reply) => sendAsset(request, reply, each));
  }
  const steps = pagePipeline(web, shared);
  for (const route of routes.filter(({ takesFile }) => takesFile !== true)) addRoute(app, route);
  // Every other form refuses a file by its type, without reading it.
  await app.register(async (uploads) => {
    // The form itself reports a file that is too large, and keeps the other fields.
    await uploads.register(multipart, { throwFileSizeLimit: false });
    for (const route of routes.filter(({ takesFile }) => takesFile)) addRoute(uploads, route);
  });
  await app.ready();
  return app;

  function addRoute(into: FastifyInstance, route: Route): void {
    const states = new WeakMap<FastifyRequest, RequestState>();
    into.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.formBytesMax ?? formBytesMax,
      // Check this before the body is read, so that a form from someone without the right is never
      // read.
      onRequest: async (request, reply) => {
        const state: RequestState = { session: undefined, workspace: undefined, role: 'anyone' };
        states.set(request, state);
        for (const step of steps) await step(request, reply, route, state);
        request.workspaceId = state.workspace?.id ?? null;
      },
      handler: async (request, reply) => {
        const state = states.get(request);
        if (state === undefined) throw new Error('The steps did not run');
        const reports = web.reports.of(state.workspace?.id ?? '');
        const context: PageContext = { ...services, reports, request, reply, ...state };
        const tag = await shared.deadline.waitFor(pageTag(context, route));
        // The browser already has the current page.
        if (tag !== undefined && matchesTag(request.headers['if-none-match'], tag))
          return reply.headers({ ETag: tag, Vary: pageVary }).code(304).send();
        const result = runRoute(context, route);
        return send(
          context,
          await (route.takesFile ? result : shared.deadline.waitFor(result)),
          tag,
        );
      },
    });
  }
}

/**
 * Whether a path can be decoded and has no NUL. Otherwise Fastify would respond before our steps,
 * or PostgreSQL would fail.
 */
function isReadable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}

/** Runs a page or form. The only place that catches the refusals of flows. */
async function runRoute(context: PageContext, { run, onRefusal: refused }: Route): Promise<Result> {
  try {
    return await run(context);
  } catch (error) {
    if (!isRefusal(error) || isUnavailable(error)) throw error;
    const result = await refused?.(context, error);
    if (result === undefined || result instanceof PageFault) throw result ?? error;
    return result;
  }
}

async function send(
  { reply, request }: PageContext,
  result: Result,
  tag: string | undefined,
): Promise<FastifyReply> {
  if ('redirect' in result) return reply.redirect(result.redirect, 303);
  if ('download' in result) return sendDownload(reply, result.download);
  if ('png' in result) return sendPng(reply, result.png);
  if (tag !== undefined && (result.status ?? 200) === 200) reply.header('ETag', tag);
  return sendPage(request, reply, result.page.text, result.status);
}

/**
 * The weak entity tag of a page that shows reports, undefined for any other. It changes with the data, the
 * UTC day, the address, the person who looks, and the code that draws the page.
 */
async function pageTag(context: PageContext, { dependsOn }: Route): Promise<string | undefined> {
  if (dependsOn === undefined) return undefined;
  const { workspace, session, role, assets, request, clock } = context;
  const revision = await readRevision(context.store.reader, workspace?.id ?? '');
  const parts = [
    version,
    assets.style.path,
    assets.script.path,
    revision,
    utcDay(clock()),
    request.originalUrl,
    workspace,
    session?.user,
    role,
    await dependsOn(context),
  ];
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}
