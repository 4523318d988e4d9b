import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems.ts';

/**
 * Refuses what two readers could understand differently: two `Host` or `Authorization` lines, none
 * of `Host` in HTTP/1.1 (RFC 9112, 3.2), and a body on a request whose body means nothing.
 * Throws `invalid_request`.
 */
export function refuseAmbiguous(request: IncomingMessage): void {
  let hosts = 0;
  let authorizations = 0;
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) throw refuse('The request has more than one `Host` line.');
  if (hosts === 0 && request.httpVersion === '1.1') throw refuse('The request has no `Host` line.');
  if (authorizations > 1) throw refuse('The request has more than one `Authorization` line.');
}

/** Refuses a body on GET, HEAD and OPTIONS. Throws `invalid_request`. */
export function refuseBody({ headers }: IncomingMessage): void {
  const hasBody =
    headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody) throw refuse('The request has a body; this API reads none.');
}

function refuse(detail: string): Problem {
  // What comes behind such a request on its connection cannot be trusted either.
  return new Problem('invalid_request', detail, { headers: { Connection: 'close' } });
}
