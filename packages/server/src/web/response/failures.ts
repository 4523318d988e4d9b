import { problems } from '@overheard/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { closeAfterResponse } from '../../api/service/closing-connections.ts';
import { createFailureLog } from '../../api/service/failure-log.ts';
import { problemResponse } from '../../api/response/problem-response.ts';
import { Problem } from '../../problems.ts';
import { busyWords, isUnavailable } from '../../storage/unavailable.ts';
import type { Assets } from '../assets.ts';
import { PageFault, notFound, unreadableForm } from '../request/page-fault.ts';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';
import { narrowPage } from '../parts/narrow-page.ts';
import { sendPage } from './send.ts';
import type { Route, WebDependencies } from '../request/page-context.ts';

type FailureDependencies = WebDependencies & { readonly assets: Assets };

/** Turns every error into a page in the same style, and logs unexpected ones. */
export function respondToFailures(app: FastifyInstance, web: FailureDependencies): void {
  const logFailure = createFailureLog('page failed', web);
  app.setErrorHandler(async (thrown, request, reply) => {
    const error = web.store.mapFailure(thrown);
    const fault = asFault(error, request.id);
    if (fault.status >= 500) logFailure(error, request);
    reply.headers(fault.headers);
    if ('Connection' in fault.headers) closeAfterResponse(request.raw.socket);
    if (fault.status === 303) return reply.code(303).send();
    reply.header('Cache-Control', 'no-store');
    return sendPage(request, reply, faultPage(fault, web.assets).text, fault.status);
  });
}

/** Responds to a path without a page. Programs get the same problem document as from the API. */
export function respondToUnknown(
  app: FastifyInstance,
  web: FailureDependencies,
  routes: readonly Route[],
): void {
  const pathMethods = new Map<RegExp, Set<string>>();
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const methods = group.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    pathMethods.set(new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), new Set(methods));
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = [...pathMethods].find(([form]) => form.test(path))?.[1];
    const allow = [...(methods ?? [])].join(', ');
    if (isForPerson(request)) {
      throw methods === undefined
        ? notFound()
        : new PageFault(405, 'This page takes no such request', `It takes ${allow}.`, {
            Allow: allow,
          });
    }
    const problem =
      methods === undefined
        ? new Problem('not_found', 'No endpoint has exactly this path.')
        : new Problem('method_not_allowed', `This path takes only ${allow}.`, {
            headers: { Allow: allow },
          });
    const document = problemResponse(problem, {
      publicUrl: web.publicUrl(),
      requestId: request.id,
    });
    return reply.code(document.status).headers(document.headers).send(document.body);
  });
}

/** The page of every failure: what happened, and what to do. */
function faultPage({ title, message, status }: PageFault, assets: Assets): Html {
  return narrowPage({
    title,
    assets,
    content: html`<p>${message}</p>
      <p class="actions">
        <a class="button" href="/">Go to your workspaces</a>${
          status === 401 &&
          html`<a class="button primary" href="/sign-in" target="_blank" rel="noopener">Sign in in another tab</a>`
        }
      </p>
      <p class="hint">HTTP status ${status}</p>`,
  });
}

function isForPerson({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

function asFault(error: unknown, requestId: string): PageFault {
  if (error instanceof PageFault) return error;
  const problem = error instanceof Problem ? error : undefined;
  if (problem !== undefined) {
    const { title, status } = problems[problem.code];
    const details = problem.errors?.map(({ parameter, message }) => `${parameter}: ${message}`);
    return new PageFault(status, title, details?.join(' ') ?? problem.message, problem.headers);
  }
  const busy = busyWords(error);
  if (busy !== undefined) {
    const advice = 'Nothing was changed: try again in a few seconds.';
    return new PageFault(503, 'Overheard is busy', `${busy} ${advice}`, { 'Retry-After': '5' });
  }
  if (isUnavailable(error)) {
    return new PageFault(
      503,
      'The database is away',
      'Overheard can’t read or write just now. Nothing was changed: try again in a few seconds.',
      { 'Retry-After': '5' },
    );
  }
  const status = statusOf(error);
  if (status !== undefined) {
    return unreadableForm(
      status === 413
        ? 'It has more than this page takes. Nothing was changed: go back, and send less at once.'
        : 'Open the page again, and send it from there.',
      status,
    );
  }
  return new PageFault(
    500,
    'Something went wrong',
    `Nothing was changed. The server’s log says why, under the request ${requestId}.`,
  );
}

/** The status of a request that Fastify could not read, such as a body that is too large. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? statusCode
    : undefined;
}
