import { hostOf } from './host.ts';

/** The parts of a request line. */
export interface AskedFor {
  readonly method: string;
  /** Path and query, without scheme and host. */
  readonly target: string;
  readonly host: string | null;
}

/** The usual form. Every part ends at the first character that it cannot contain. */
const usual = /^([A-Z]{1,32}) (\/\S*) HTTP\/[\d.]+$/;

/**
 * Reads `GET /path HTTP/1.1`; the version may be missing. Undefined if it is not a request. Other forms
 * are read by their spaces, not by a pattern: clients choose all of a request, and none may be slow.
 */
export function readRequestLine(line: string): AskedFor | undefined {
  const [, method, target] = usual.exec(line) ?? [];
  if (method !== undefined && target !== undefined) return { method, target, host: null };
  const space = line.indexOf(' ');
  if (space === -1) return undefined;
  const rest = withoutSpaces(line.slice(space));
  const last = rest.lastIndexOf(' ');
  const hasVersion = last !== -1 && /^HTTP\/[\d.]+$/i.test(rest.slice(last + 1));
  return readTarget(line.slice(0, space), hasVersion ? withoutSpaces(rest.slice(0, last)) : rest);
}

/**
 * Reads a method and a target that stand apart. Methods are tokens (RFC 9110, 9.1); targets have one of
 * the forms of RFC 9112, 3.2, and are one line. Undefined if they are not.
 */
export function readTarget(method: string, target: string): AskedFor | undefined {
  if (!/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,31}$/.test(method)) return undefined;
  if (/[\r\n]/.test(target)) return undefined;
  if (target === '*' || target.startsWith('/')) return { method, target, host: null };
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority !== undefined) {
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    return { method, target: path, host: hostOf(authority) };
  }
  return method === 'CONNECT' && target !== '' ? { method, target, host: null } : undefined;
}

/**
 * Without the spaces at both ends; other white space is part of what was sent. No space is tried twice,
 * so that no line is slow.
 */
function withoutSpaces(text: string): string {
  return text.replaceAll(/^ +|(?<! ) +$/g, '');
}
