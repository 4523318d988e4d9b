import { normaliseHost } from '../../values/sites/host.ts';

/**
 * Reads `GET /path HTTP/1.1`; the version may be missing. Undefined if it is not a request. Clients
 * choose all of a request: the patterns try no space twice, so that none is slow.
 */
export function readRequestLine(line: string): ReturnType<typeof readTarget> {
  const [, method = '', rest = ''] = /^([^ ]*) +(.*)$/s.exec(line) ?? [];
  return readTarget(method, rest.replace(/(?<! )(?: +HTTP\/[\d.]+)? *$/i, ''));
}

/**
 * Reads a method and a target that are apart; the target without scheme and host. Methods are tokens (RFC 9110, 9.1); targets have one of
 * the forms of RFC 9112, 3.2, and are one line. Undefined if they are not.
 */
export function readTarget(method: string, target: string) {
  if (!/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,31}$/.test(method)) return undefined;
  if (/[\r\n]/.test(target)) return undefined;
  if (target === '*' || target.startsWith('/')) return { method, target, host: null };
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority !== undefined) {
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    return { method, target: path, host: normaliseHost(authority) ?? null };
  }
  return method === 'CONNECT' && target !== '' ? { method, target, host: null } : undefined;
}
