import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebDependencies } from './page-context.ts';

type CookieSettings = Pick<WebDependencies, 'publicUrl' | 'mayUsePlainHttp'>;

/** The lifetime of a device cookie, which is the longest that browsers allow. */
const deviceSeconds = 400 * 24 * 3600;
/** The lifetime of a session cookie, which is that of a session. */
const sessionSeconds = 90 * 24 * 3600;

type Purpose = 'session' | 'device';

/** The token of a cookie; empty if there is none. */
export function readCookie(
  request: FastifyRequest,
  purpose: Purpose,
  settings: CookieSettings,
): string {
  return request.cookies[nameOf(purpose, settings)] ?? '';
}

/** Gives a browser its session, and the device cookie if it has none for this account. */
export function writeCookies(
  reply: FastifyReply,
  { session, device }: { session?: string | undefined; device?: string | undefined },
  settings: CookieSettings,
): void {
  const write = (purpose: Purpose, token: string | undefined, maxAge: number) => {
    if (token === undefined) return;
    reply.setCookie(nameOf(purpose, settings), token, { ...attributes(settings), maxAge });
  };
  write('session', session, sessionSeconds);
  write('device', device, deviceSeconds);
}

/** Removes the session's cookie from a browser. */
export function clearSessionCookie(reply: FastifyReply, settings: CookieSettings): void {
  reply.clearCookie(nameOf('session', settings), attributes(settings));
}

/**
 * The name of a cookie. `__Host-` binds it to this host, and the port distinguishes two servers on
 * one host.
 */
function nameOf(purpose: Purpose, { publicUrl, mayUsePlainHttp }: CookieSettings): string {
  const { port, protocol } = new URL(publicUrl());
  const usual = protocol === 'https:' ? '443' : '80';
  const suffix = purpose === 'device' ? '-device' : '';
  return `${mayUsePlainHttp ? '' : '__Host-'}overheard-${port === '' ? usual : port}${suffix}`;
}

function attributes({ mayUsePlainHttp }: CookieSettings) {
  return { path: '/', httpOnly: true, secure: !mayUsePlainHttp, sameSite: 'lax' } as const;
}

/**
 * Whether a browser would drop our cookies, because they need https and the request came by plain
 * http from another machine.
 */
export function dropsCookies(request: FastifyRequest, settings: CookieSettings): boolean {
  if (settings.mayUsePlainHttp || request.protocol === 'https') return false;
  if (settings.publicUrl().startsWith('https:')) return false;
  return !/^(localhost|[\w.-]+\.localhost|127(\.\d+){3}|\[::1\])$/.test(request.hostname);
}
