import { Failure } from '@overheard/tools';
import type { FailureCode } from '@overheard/tools';

/**
 * Codes of `node:dns`, `node:net`, `node:tls` and undici, and the failures that they mean for a
 * call.
 */
const codes: ReadonlyArray<readonly [RegExp, FailureCode]> = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'unresolved'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'refused_connection'],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed_out'],
  [/^(?:EPROTO|ERR_SSL\w*|ERR_TLS\w*|\w*CERT\w*|UNABLE_TO_\w+)$/, 'tls_failed'],
  // The response is not valid HTTP, or is not in the encoding that it declares.
  [/^(?:HPE_\w+|UND_ERR_HEADERS_OVERFLOW|Z_\w+|ERR__ERROR_\w+)$/, 'not_json'],
];

/**
 * The failure that an error of `fetch` or of reading its body means. An unknown error is a broken
 * connection.
 */
export function networkFailure(error: unknown, address: string): Failure {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new Failure('timed_out', { address });
  const { name, message } = causeOf(error);
  // fetch refuses the ports of some other protocols before it connects.
  if (message === 'bad port') return new Failure('bad_address', {}, { cause: error });
  if (/\b407\b/.test(message)) return new Failure('refused_by_proxy', {}, { cause: error });
  // Newer versions of undici give no code.
  if (name === 'HTTPParserError') return new Failure('not_json', { address }, { cause: error });
  const system = systemCode(error);
  const code = codes.find(([pattern]) => pattern.test(system ?? ''))?.[1] ?? 'broken_connection';
  return new Failure(code, { address, system }, { cause: error });
}

function causeOf(error: unknown): { name: string; message: string } {
  return error instanceof Error && error.cause instanceof Error
    ? error.cause
    : { name: '', message: '' };
}

/** The first code in the chain of causes. If several addresses were tried, that of the first. */
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined;
  if ('code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{2,60}$/.test(error.code)) {
    return error.code;
  }
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return systemCode(error.cause, depth + 1) ?? systemCode(first, depth + 1);
}
