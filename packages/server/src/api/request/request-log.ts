import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isClosing } from '../service/closing-connections.ts';
import type { Metrics } from '../service/metrics.ts';
import { splitTarget } from './split-target.ts';

const pathMax = 500;

/** Writes one line to the log for every request and counts every response. */
export function logRequests(
  app: FastifyInstance,
  { log, metrics }: { log: Logger; metrics: Metrics },
): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        ...loggedRequest(request),
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
    metrics.observeRequest({
      route: routeOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    // A request after a refused one gets no response, so its end is not logged.
    if (!isClosing(request.raw.socket)) {
      log.info(loggedRequest(request), 'the client disconnected before its response was complete');
    }
    done();
  });
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
}

/** The logged parts of a request, without the query and without keys. */
function loggedRequest(request: FastifyRequest) {
  return {
    request_id: request.id,
    method: request.method,
    path: loggedPath(request.originalUrl),
    workspace_id: request.workspaceId ?? undefined,
    address: loggedAddress(request.ip),
  };
}

/** The logged path, cut after keys are removed. pino escapes characters that could end a line. */
function loggedPath(target: string): string {
  const path = redactPath(splitTarget(target).path);
  return path.length > pathMax ? `${path.slice(0, pathMax)}...` : path;
}

/** The logged address. A proxy may pass any text on in `X-Forwarded-For`. */
function loggedAddress(address: string): string {
  return isIP(address) === 0 ? 'not an address' : address;
}

/**
 * A key or a token of an assistant, or one without its end, because 16 of its characters already
 * reveal too much. A percent-encoded underscore and encoded characters count too.
 */
const keys =
  /overheard(?:_|%5f)(?:[ar]t(?:_|%5f)(?:[\w-]|%[0-9a-f]{2}){16}|(?:[0-9a-z]|%[0-9a-f]{2}){16})(?:[\w-]|%[0-9a-f]{2})*/gi;
const replacement = 'overheard_[redacted]';
const encodedByte = /%([0-9a-f]{2})/gi;

/** A text for the log, without anything that looks like a key. */
export function redactKeys(text: string): string {
  return text.replaceAll(keys, replacement);
}

/**
 * The part of a path after the page of a one-time link or of a receiver, and any other part that could be a token.
 */
const links = /(\/(?:setup|sign-in|invite|s|ingest)\/)[^/]+/gi;
const tokens = /[\w-]{20,}/g;

/** A path for the log, without a key or a token in any spelling that percent-encoding allows. */
export function redactPath(path: string): string {
  return redactSpelled(redactSpelled(path, redactKeys), redactTokens);
}

function redactTokens(path: string): string {
  // Search for a capital here, because a lookahead would read the rest of a long path at each
  // character.
  return path
    .replaceAll(links, '$1[redacted]')
    .replaceAll(tokens, (text) => (/[A-Z]/.test(text) ? '[redacted]' : text));
}

function redactSpelled(path: string, redact: (text: string) => string): string {
  const redacted = redact(path);
  const decoded = redacted.replaceAll(encodedByte, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return redact(decoded) === decoded ? redacted : `/${replacement}`;
}
