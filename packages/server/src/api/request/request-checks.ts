import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { Problem } from '../../problems.ts';
import { splitTarget } from './target.ts';

/** A registered name or IPv4 address, without the punctuation that no host name has. */
const namePattern = /^(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*$/;
const literalPattern = /^\[([^\]]*)\]$/;
const portPattern = /:(\d*)$/;
const portMax = 65_535;

/**
 * Refuses a request that two readers could understand differently: two `Host` or `Authorization`
 * lines, no `Host` in HTTP/1.1, or a host that is not one (RFC 9112, 3.2). Throws `invalid_request`.
 */
export function refuseAmbiguous(request: IncomingMessage, target: string): void {
  let hosts = 0;
  let authorizations = 0;
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1;
      if (!isAuthority(rawHeaders[index + 1] ?? '')) throw refuse('The `Host` line is not valid.');
    }
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) throw refuse('The request has more than one `Host` line.');
  if (hosts === 0 && request.httpVersion === '1.1') throw refuse('The request has no `Host` line.');
  if (authorizations > 1) throw refuse('The request has more than one `Authorization` line.');
  const { authority } = splitTarget(target);
  if (authority !== undefined && (authority === '' || !isAuthority(authority))) {
    throw refuse('The host in the request target is not valid.');
  }
}

/** Refuses every expectation but `100-continue`. Throws `expectation_failed`. */
export function refuseExpectations(request: IncomingMessage): void {
  if (meetsExpectations(request)) return;
  throw new Problem('expectation_failed', 'The server knows no expectation but `100-continue`.', {
    // A client that waits may send its body or not: nobody knows where its next request begins.
    headers: { Connection: 'close' },
  });
}

/** Whether a request expects nothing, or nothing but `100-continue` (RFC 9110, 10.1.1). */
export function meetsExpectations({ headers: { expect = '' } }: IncomingMessage): boolean {
  if (expect === '') return true;
  const expectations = expect.split(',').map((text) => text.trim().toLowerCase());
  return expectations.every((text) => text === '' || text === '100-continue');
}

/** Refuses a body. Throws `invalid_request`. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw refuse('The request has a body; this API reads none.');
}

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Whether a text is a host with an optional port, as in `Host` (RFC 9110, 7.2). The empty text is
 * one: it is what a client sends whose target has no authority (RFC 9112, 3.2).
 */
function isAuthority(text: string): boolean {
  const port = portPattern.exec(text);
  if (Number(port?.[1] ?? '') > portMax) return false;
  const host = text.slice(0, port?.index);
  const literal = literalPattern.exec(host)?.[1];
  return literal === undefined ? namePattern.test(host) : isIPv6(literal) && !literal.includes('%');
}

function refuse(detail: string): Problem {
  // What comes behind such a request on its connection cannot be trusted either.
  return new Problem('invalid_request', detail, { headers: { Connection: 'close' } });
}
