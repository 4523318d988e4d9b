import { verify } from 'node:crypto';
import {
  isInnerList,
  parseDictionary,
  parseItem,
  serializeInnerList,
  serializeItem,
} from 'structured-headers';
import type { InnerList, Item } from 'structured-headers';
import type { LogLine, SignatureHeaders } from '../log-line.ts';
import type { KeyFinder } from '../operators/key-directory.ts';
import type { SignatureResult } from './judge.ts';

declare global {
  /** The DOM's name, which the types of `structured-headers` use. */
  type BufferSource = ArrayBufferView | ArrayBuffer;
}

/** A log's time is of the end of the request, often cut to the second. */
const skewMs = 60_000;
/** Longer than the draft lets a signature be in force, it is one to be replayed. */
const validitySecondsMax = 86_400;

const withQuery: ReadonlySet<unknown> = new Set(['@query', '@request-target', '@target-uri']);

type SignedRequest = Pick<LogLine, 'atMs' | 'method' | 'target' | 'userAgent'> & {
  readonly signature: SignatureHeaders;
};

/**
 * Verifies the signature of a request at the time of the request: HTTP Message Signatures (RFC 9421)
 * as draft-ietf-webbotauth-httpsig-protocol profiles them. Valid only if it covers the site's name
 * and the Signature-Agent header, in its dictionary or its older string form, is in time, and is made
 * with a key of that agent's directory.
 */
export function verifySignature(request: SignedRequest, findKey: KeyFinder): SignatureResult {
  const inputs = read(parseDictionary, request.signature.signatureInput);
  const signatures = read(parseDictionary, request.signature.signature);
  if (inputs === undefined || signatures === undefined)
    return invalid('its headers cannot be read');
  let result: SignatureResult = invalid('none of its signatures is tagged web-bot-auth');
  for (const [label, input] of inputs) {
    if (!isInnerList(input) || input[1].get('tag') !== 'web-bot-auth') continue;
    const signature = signatures.get(label);
    if (signature === undefined || isInnerList(signature)) continue;
    result = verifyOne(request, { input, signature, findKey });
    if (result.kind === 'valid') return result;
  }
  return result;
}

/** The host in a Signature-Agent header. Undefined if it has none, or several. */
export function signatureAgentHost({ signatureAgent }: SignatureHeaders): string | undefined {
  const dictionary = read(parseDictionary, signatureAgent);
  if (dictionary === undefined) return httpsHost(read(parseItem, signatureAgent));
  const hosts = new Set([...dictionary.values()].map(httpsHost));
  const [host] = hosts;
  return hosts.size === 1 ? host : undefined;
}

/** Whether any of the signatures is also over the query of the request. */
export function coversQuery({ signatureInput }: SignatureHeaders): boolean {
  const inputs = [...(read(parseDictionary, signatureInput)?.values() ?? [])];
  return inputs.some(
    (input) => isInnerList(input) && input[0].some(([name]) => withQuery.has(name)),
  );
}

function verifyOne(
  request: SignedRequest,
  { input, signature, findKey }: { input: InnerList; signature: Item; findKey: KeyFinder },
): SignatureResult {
  const [components, parameters] = input;
  const [created, expires, keyId] = ['created', 'expires', 'keyid'].map((name) =>
    parameters.get(name),
  );
  if (typeof created !== 'number' || typeof expires !== 'number' || typeof keyId !== 'string') {
    return invalid('it lacks created, expires or keyid');
  }
  if (created * 1000 > request.atMs + skewMs || expires * 1000 < request.atMs - skewMs) {
    return invalid('it was not in force at the time of the request');
  }
  if (expires <= created || expires - created > validitySecondsMax) {
    return invalid('it is in force for more than a day, or for no time');
  }
  const agent = coveredAgent(components, request.signature.signatureAgent);
  if (agent === undefined) return invalid('it does not cover its Signature-Agent header');
  const names = new Set(components.map(([name]) => name));
  if (!names.has('@authority') && !names.has('@target-uri')) {
    return invalid('it does not cover the name of the site');
  }
  const base = signatureBase(request, input);
  if (base === undefined) return invalid('it covers what the log does not have');
  const key = findKey(agent, keyId, request.atMs);
  if (key === undefined) return invalid(`no key of ${agent} that was valid then is here`);
  const [bytes] = signature;
  const isRight =
    bytes instanceof ArrayBuffer && verify(null, Buffer.from(base), key, Buffer.from(bytes));
  return isRight ? { kind: 'valid', agent } : invalid('it is not over this request');
}

/** The agent whose name the signature covers. */
function coveredAgent(components: readonly Item[], header: string): string | undefined {
  const covered = components.find(([name]) => name === 'signature-agent');
  if (covered === undefined) return undefined;
  const key = covered[1].get('key');
  if (key === undefined) return httpsHost(read(parseItem, header));
  return typeof key === 'string' ? httpsHost(read(parseDictionary, header)?.get(key)) : undefined;
}

function httpsHost(member: Item | InnerList | undefined): string | undefined {
  if (member === undefined || isInnerList(member) || typeof member[0] !== 'string')
    return undefined;
  const url = URL.parse(member[0]);
  return url?.protocol === 'https:' ? url.host : undefined;
}

/** RFC 9421, 2.5. Undefined if a covered component is not in the log. */
function signatureBase(request: SignedRequest, input: InnerList): string | undefined {
  const lines = new Map<string, string>();
  for (const item of input[0]) {
    const value = componentValue(request, item);
    const name = serializeItem(item);
    if (value === undefined || lines.has(name)) return undefined;
    lines.set(name, value);
  }
  return [
    ...[...lines].map(([name, value]) => `${name}: ${value}`),
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n');
}

function componentValue(
  { method, target, userAgent, signature }: SignedRequest,
  [name, parameters]: Item,
): string | undefined {
  const { authority, scheme, signatureAgent } = signature;
  if (name === 'signature-agent') {
    const key = parameters.get('key');
    if (parameters.size > (key === undefined ? 0 : 1)) return undefined;
    return typeof key === 'string' ? memberOf(signatureAgent, key) : signatureAgent.trim();
  }
  if (parameters.size > 0) return undefined;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (name === 'user-agent') return userAgent.trim();
  if (name === '@method') return method;
  if (name === '@scheme') return scheme;
  if (name === '@path') return path;
  if (name === '@query') return query === -1 ? '?' : target.slice(query);
  if (name === '@request-target') return target;
  if (authority === null) return undefined;
  if (name === '@authority') return authority;
  return name === '@target-uri' ? `${scheme}://${authority}${target}` : undefined;
}

function memberOf(header: string, key: string): string | undefined {
  const member = read(parseDictionary, header)?.get(key);
  if (member === undefined) return undefined;
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
}

/** Undefined for a header that is not of the kind. */
function read<Kind>(parse: (header: string) => Kind, header: string): Kind | undefined {
  try {
    return parse(header.trim());
  } catch {
    return undefined;
  }
}

function invalid(detail: string): SignatureResult {
  return { kind: 'invalid', detail };
}
