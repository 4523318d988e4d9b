import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Agent, buildConnector, fetch } from 'undici';
import { parseAddress } from '../../values/addresses/address.ts';
import { isCredentialAddress } from '../../values/addresses/credential-address.ts';
import { isGlobal } from '../../values/addresses/networks.ts';

/** Thrown if no connection could be made, so that nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** `ECONNREFUSED`, `address_not_public`, `address_of_credentials`, ... */
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
 * never connects to one where a cloud gives its machines their credentials. It checks the address as
 * it connects, so a host name cannot lead it into a private network.
 */
export function createEngineFetch({ mayReachPrivate }: { mayReachPrivate: boolean }): EngineFetch {
  const whyRefused = mayReachPrivate ? ifOfCredentials : ifNotPublic;
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: lookUpUnless(whyRefused) });
  const dispatcher = new Agent({
    headersTimeout: silenceMaxMs,
    bodyTimeout: silenceMaxMs,
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      const refusedBy = isIP(host) === 0 ? undefined : whyRefused(host);
      if (refusedBy !== undefined) {
        done(new NotConnectedError(refusedBy), null);
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

/** Why an address is refused; undefined if it is not. */
type RefuseAddress = (address: string) => string | undefined;

function lookUpUnless(whyRefused: RefuseAddress): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const [first, ...others] = addresses.filter(
        ({ address }) => whyRefused(address) === undefined,
      );
      if (first === undefined) {
        done(new NotConnectedError(whyRefused(addresses[0]?.address ?? '') ?? 'ENOTFOUND'), '');
      } else if (options.all === true) done(null, [first, ...others]);
      else done(null, first.address, first.family);
    });
  };
}

function ifNotPublic(text: string): string | undefined {
  const address = parseAddress(text);
  return address !== undefined && isGlobal(address) ? undefined : 'address_not_public';
}

function ifOfCredentials(text: string): string | undefined {
  const address = parseAddress(text);
  return address !== undefined && !isCredentialAddress(address)
    ? undefined
    : 'address_of_credentials';
}

function notConnected(error: Error): NotConnectedError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'not_connected';
  return new NotConnectedError(code, error);
}
