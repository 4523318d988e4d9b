import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import { parseAddress } from '../../values/addresses/address.ts';
import { isGlobal } from '../../values/addresses/networks.ts';

/** Thrown if no connection could be made, so that nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** `ECONNREFUSED`, `address_not_public`, ... */
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

export type EngineFetch = typeof fetch;

const connectTimeoutMs = 10_000;
/** A model may think for minutes before its first byte. */
const silenceMaxMs = 600_000;

/**
 * Makes a `fetch` for engines. Unless `mayReachPrivate`, it connects only to public addresses. It
 * checks the address as it connects, so a host name cannot lead it into a private network.
 */
export function createEngineFetch({ mayReachPrivate }: { mayReachPrivate: boolean }): EngineFetch {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    ...(!mayReachPrivate && { lookup: lookUpPublic }),
  });
  const dispatcher = new Agent({
    headersTimeout: silenceMaxMs,
    bodyTimeout: silenceMaxMs,
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (!mayReachPrivate && isIP(host) !== 0 && !isPublic(host)) {
        done(new NotConnectedError('address_not_public'), null);
        return;
      }
      connect(options, (...result) => {
        const [error] = result;
        if (error === null) done(...result);
        else done(error instanceof NotConnectedError ? error : notConnected(error), null);
      });
    },
  });
  return (input, init) => fetch(input, { ...init, dispatcher });
}

/**
 * Gives each engine its `fetch`. Only an engine of the operator's own may be at a private address.
 */
export function engineFetches({
  mayReachPrivate,
}: {
  mayReachPrivate: boolean;
}): (engine: { isOwn?: boolean }) => EngineFetch {
  const outside = createEngineFetch({ mayReachPrivate });
  const anywhere = createEngineFetch({ mayReachPrivate: true });
  return ({ isOwn = false }) => (isOwn ? anywhere : outside);
}

const lookUpPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first, ...others] =
      error === null ? addresses.filter(({ address }) => isPublic(address)) : [];
    if (error !== null) done(error, '');
    else if (first === undefined) done(new NotConnectedError('address_not_public'), '');
    else if (options.all === true) done(null, [first, ...others]);
    else done(null, first.address, first.family);
  });
};

function isPublic(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isGlobal(address);
}

function notConnected(error: Error): NotConnectedError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'not_connected';
  return new NotConnectedError(code, error);
}
