import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRequestSteps } from '../api/request/request-steps.ts';
import { allows } from '../people/roles.ts';
import type { RoleAccess } from '../people/roles.ts';
import { roleIn } from '../people/members.ts';
import { findSession, renewSession, touchSession } from '../people/sessions.ts';
import type { OpenSession } from '../people/sessions.ts';
import { countGaps } from '../storage/gaps.ts';
import { findWorkspaceBySlug } from '../workspaces/workspaces.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { readCookie, writeCookies } from './request/cookies.ts';
import { notFound, PageFault } from './request/page-fault.ts';
import { pathPart } from './request/page-context.ts';
import type { Route, SharedParts, WebDependencies } from './request/page-context.ts';

/** The facts about a request that the steps find. */
export interface RequestState {
  session: OpenSession | undefined;
  workspace: Workspace | undefined;
  openGaps?: number | undefined;
  role: RoleAccess;
}

type Step = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  state: RequestState,
) => Promise<void> | void;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Steps of every request before its route is known: the steps of the API that also suit pages, and
 * the headers.
 */
export function requestPipeline({ isDraining }: Pick<WebDependencies, 'isDraining'>) {
  const step = createRequestSteps({ paths: new Set(), isDraining });
  return [
    step.rejectClosedConnections,
    step.identify,
    step.refuseAmbiguity,
    step.refuseUnknownExpectations,
    setHeaders,
  ] as const;

  function setHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    reply.headers({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'private, no-cache',
    });
    if (!isOfPopup(request)) reply.header('Cross-Origin-Opener-Policy', 'same-origin');
    done();
  }
}

/**
 * Whether an assistant's host may show the page in a popup, which must still find the window that
 * opened it when it is sent back.
 */
function isOfPopup({ originalUrl }: FastifyRequest): boolean {
  return /^\/(?:oauth\/authorize|sign-in)(?:\?|$)/.test(originalUrl);
}

/** Steps of every page and form, in this order. A step ends a request by throwing. */
export function pagePipeline(web: WebDependencies, { deadline }: SharedParts): readonly Step[] {
  const { store, clock } = web;
  return [hideToken, refuseForeignForms, openSession, openWorkspace, requireRole];

  /** Hides a link's token: its address must not leak by a cache or a `Referer`. */
  function hideToken(...[, reply, { path }]: Parameters<Step>): void {
    if (!path.includes(':token')) return;
    reply.headers({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  }

  function refuseForeignForms(...[request, , route]: Parameters<Step>): void {
    if (route.method !== 'GET') requireSameOrigin(request, web, { path: route.path });
  }

  async function openSession(...[request, reply, , state]: Parameters<Step>): Promise<void> {
    const token = readCookie(request, 'session', web);
    if (token === '') return;
    state.session = await deadline.waitFor(findSession(store.access, token, { clock }));
    if (state.session === undefined) return;
    state.role = state.session.user.isOperator ? 'operator' : 'user';
    const { id, mustRenew, isUnseen } = state.session;
    if (mustRenew && request.method === 'GET') {
      const session = await deadline.waitFor(renewSession(store.access, id));
      writeCookies(reply, { session }, web);
    } else if (isUnseen) {
      // The request neither waits for this write nor fails with it.
      setImmediate(() => void touchSession(store.access, id, { clock }).catch(() => {}));
    }
  }

  async function openWorkspace(...[request, , { path }, state]: Parameters<Step>): Promise<void> {
    if (!path.startsWith('/w/:slug') || state.session === undefined) return;
    const { user } = state.session;
    const workspace = await deadline.waitFor(
      findWorkspaceBySlug(store.reader, pathPart({ request }, 'slug')),
    );
    const ids = { workspaceId: workspace?.id ?? '', userId: user.id };
    const role = user.isOperator ? 'operator' : await deadline.waitFor(roleIn(store.access, ids));
    if (workspace === undefined || role === undefined) throw notFound();
    const gaps = await deadline.waitFor(countGaps({ db: store.reader, workspaceId: workspace.id }));
    Object.assign(state, { workspace, role, openGaps: gaps.open });
  }

  function requireRole(...[request, , route, state]: Parameters<Step>): void {
    if (allows(state.role, route.role)) return;
    if (state.session === undefined) throw signInFault(request, route);
    throw new PageFault(
      403,
      'You may not do this',
      `It needs the role ${route.role}; yours is ${state.role}. Ask an admin of the workspace.`,
    );
  }
}

function signInFault(request: FastifyRequest, { method }: Route): PageFault {
  if (method === 'GET') {
    const next = encodeURIComponent(request.originalUrl);
    const location = request.originalUrl === '/' ? '/sign-in' : `/sign-in?next=${next}`;
    return new PageFault(303, 'Sign in', 'Sign in to see this page.', { Location: location });
  }
  return new PageFault(
    401,
    'You are signed out',
    'Your session has ended, and nothing was changed. Sign in in another tab, come back here and reload this page: your browser then sends the form again.',
  );
}

/**
 * Refuses a form that another site sent. `same-site` is refused as well: another port of this host is
 * the same site, and browsers send it our cookies.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
function requireSameOrigin(
  { headers }: FastifyRequest,
  { publicUrl }: Pick<WebDependencies, 'publicUrl'>,
  { path }: { path: string },
): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw foreignFormFault();
  }
  const { origin, host = '', cookie } = headers;
  if (origin === undefined) {
    if (cookie === undefined) return;
    throw foreignFormFault();
  }
  // On plain http the page of a link sends neither a referrer nor an origin. Accept it, because
  // another site doesn't have its secret token.
  if (origin === 'null' && path.includes(':token')) return;
  const ours = [new URL(publicUrl()).origin, `http://${host}`, `https://${host}`];
  if (!ours.includes(origin)) throw foreignFormFault();
}

function foreignFormFault(): PageFault {
  return new PageFault(
    403,
    'The form came from another site',
    'Nothing was changed. Open the page on this server and send the form from there.',
  );
}
