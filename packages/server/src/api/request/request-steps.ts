import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../../problems.ts';
import { isClosing } from '../service/closing-connections.ts';
import { splitTarget } from './split-target.ts';

/** A registered name or IPv4 address, without the punctuation that no host name has. */
const namePattern = /^(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*$/;
const literalPattern = /^\[([^\]]*)\]$/;
const portPattern = /:(\d*)$/;
const portMax = 65_535;

/** A path without a route, for targets that are not exactly one of our paths. */
const nowhere = '/-';

const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const allowed = methods.join(', ');

/** The steps of every request, in the order of the pipeline. A step refuses it by throwing a `Problem`. */
export function createRequestSteps({
  paths,
  isDraining,
}: {
  /** Every path that is served. */
  paths: Pick<ReadonlySet<string>, 'has'>;
  isDraining: () => boolean;
}) {
  return {
    rejectClosedConnections,
    identify,
    refuseAmbiguity,
    refuseUnknownExpectations,
    routeExactly,
    refuseOtherMethods,
    refuseBodies,
    respondToOptions,
  };

  /** Rejects a request if an earlier response on its connection has ended the connection. */
  function rejectClosedConnections(...[request, reply, done]: Hook): void {
    if (isClosing(request.raw.socket)) reply.hijack();
    else done();
  }

  function identify(...[request, reply, done]: Hook): void {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    if (isDraining()) reply.header('Connection', 'close');
    done();
  }

  function routeExactly(...[request, , done]: Hook): void {
    if (!paths.has(splitTarget(request.originalUrl).path)) {
      // End the connection if there is a body, because it is not read and could be taken for the
      // next request.
      const headers = hasBody(request.raw) ? { headers: { Connection: 'close' } } : {};
      throw new Problem('not_found', 'No endpoint has exactly this path.', headers);
    }
    done();
  }
}

type Hook = Parameters<onRequestHookHandler>;

/**
 * Refuses a request that two readers could understand differently: two `Host` or `Authorization`
 * lines, no `Host` in HTTP/1.1, or a host that is not one (RFC 9112, 3.2).
 */
function refuseAmbiguity(...[{ raw, originalUrl }, , done]: Hook): void {
  let hosts = 0;
  let authorizations = 0;
  const { rawHeaders } = raw;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      if (!isAuthority(rawHeaders[index + 1] ?? '')) throw refuse('The `Host` line is not valid.');
    }
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) throw refuse('The request has more than one `Host` line.');
  if (hosts === 0 && raw.httpVersion === '1.1') throw refuse('The request has no `Host` line.');
  if (authorizations > 1) throw refuse('The request has more than one `Authorization` line.');
  const { authority } = splitTarget(originalUrl);
  if (authority !== undefined && (authority === '' || !isAuthority(authority))) {
    throw refuse('The host in the request target is not valid.');
  }
  done();
}

function refuseUnknownExpectations(...[{ raw }, , done]: Hook): void {
  if (!meetsExpectations(raw)) {
    throw new Problem(
      'expectation_failed',
      'The server supports only the expectation `100-continue`.',
      {
        // The waiting client may or may not send its body, so it is unknown where its next request
        // begins.
        headers: { Connection: 'close' },
      },
    );
  }
  done();
}

function refuseOtherMethods(...[request, , done]: Hook): void {
  if (!methods.includes(request.method)) {
    throw new Problem('method_not_allowed', 'This path takes only GET, HEAD and OPTIONS.', {
      headers: { Allow: allowed, Connection: 'close' },
    });
  }
  done();
}

function refuseBodies(...[{ raw }, , done]: Hook): void {
  if (hasBody(raw)) throw refuse('The request has a body; this API reads none.');
  done();
}

/** Responds to OPTIONS, after the check of bodies, because OPTIONS must not have one either. */
function respondToOptions(...[request, reply, done]: Hook): void {
  if (request.method === 'OPTIONS') void reply.code(204).header('Allow', allowed).send();
  else done();
}

export function newRequestId(): string {
  return randomUUID();
}

/** Gives the router one of our paths exactly as it was sent, or a path without a route. */
export function createRewriteUrl(
  paths: ReadonlySet<string>,
): (request: { url?: string | undefined }) => string {
  return function rewriteUrl({ url = '' }) {
    const { path } = splitTarget(url);
    return paths.has(path) ? path : nowhere;
  };
}

/** Whether a request expects nothing, or nothing but `100-continue` (RFC 9110, 10.1.1). */
export function meetsExpectations({ headers: { expect = '' } }: IncomingMessage): boolean {
  if (expect === '') return true;
  const expectations = expect.split(',').map((text) => text.trim().toLowerCase());
  return expectations.every((text) => text === '' || text === '100-continue');
}

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Whether a text is a host with an optional port, as in `Host` (RFC 9110, 7.2). The empty text is
 * valid, because a client sends it if its target has no authority (RFC 9112, 3.2).
 */
function isAuthority(text: string): boolean {
  const port = portPattern.exec(text);
  if (Number(port?.[1] ?? '') > portMax) return false;
  const host = text.slice(0, port?.index);
  const literal = literalPattern.exec(host)?.[1];
  return literal === undefined ? namePattern.test(host) : isIPv6(literal) && !literal.includes('%');
}

function refuse(detail: string): Problem {
  // The bytes after such a request on its connection cannot be trusted either.
  return new Problem('invalid_request', detail, { headers: { Connection: 'close' } });
}
