import { verify } from 'node:crypto';
import type { LogLine, SignatureHeaders } from '../log-line.ts';
import type { SignatureAnswer } from './judge.ts';
import type { KeyFinder } from './key-directory.ts';
import { parseDictionary, parseItem } from './structured-fields.ts';
import type { InnerList, Item } from './structured-fields.ts';

/** A log's time is of the end of the request, often cut to the second. */
const skewMs = 60_000;
/** Longer than the draft lets a signature be in force, it is one to be replayed. */
const validitySecondsMax = 86_400;

const withQuery: ReadonlySet<string> = new Set(['@query', '@request-target', '@target-uri']);

type SignedRequest = Pick<LogLine, 'atMs' | 'method' | 'target'> & {
  readonly signature: SignatureHeaders;
};

/**
 * Verifies the signature of a request at the time of the request: HTTP Message Signatures (RFC 9421)
 * as draft-ietf-webbotauth-httpsig-protocol profiles them. Valid only where it covers the site's name
 * and the Signature-Agent header, in its dictionary or its older string form, is in time, and is made
 * with a key of that agent's directory.
 */
export function verifySignature(request: SignedRequest, findKey: KeyFinder): SignatureAnswer {
  const inputs = parseDictionary(request.signature.signatureInput);
  const signatures = parseDictionary(request.signature.signature);
  if (inputs === undefined || signatures === undefined)
    return invalid('its headers cannot be read');
  let answer: SignatureAnswer = invalid('none of its signatures is tagged web-bot-auth');
  for (const [label, input] of inputs) {
    if (!('items' in input) || input.parameters.get('tag') !== 'web-bot-auth') continue;
    const signature = signatures.get(label);
    if (signature === undefined || 'items' in signature) continue;
    answer = verifyOne(request, { input, signature, findKey });
    if (answer.kind === 'valid') return answer;
  }
  return answer;
}

/** The host that a Signature-Agent header names; undefined where it names none, or several. */
export function signatureAgentHost({ signatureAgent }: SignatureHeaders): string | undefined {
  const dictionary = parseDictionary(signatureAgent);
  if (dictionary === undefined) return httpsHost(parseItem(signatureAgent));
  const hosts = new Set([...dictionary.values()].map(httpsHost));
  const [host] = hosts;
  return hosts.size === 1 ? host : undefined;
}

/** Whether any of the signatures is also over the query of the request. */
export function coversQuery({ signatureInput }: SignatureHeaders): boolean {
  const inputs = parseDictionary(signatureInput) ?? new Map<string, Item | InnerList>();
  return [...inputs.values()].some(
    (input) =>
      'items' in input &&
      input.items.some(({ value }) => typeof value === 'string' && withQuery.has(value)),
  );
}

function verifyOne(
  request: SignedRequest,
  { input, signature, findKey }: { input: InnerList; signature: Item; findKey: KeyFinder },
): SignatureAnswer {
  const { parameters } = input;
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
  const agent = coveredAgent(input, request.signature.signatureAgent);
  if (agent === undefined) return invalid('it does not cover its Signature-Agent header');
  const names = new Set(input.items.map(({ value }) => value));
  if (!names.has('@authority') && !names.has('@target-uri')) {
    return invalid('it does not cover the name of the site');
  }
  const base = signatureBase(request, input);
  if (base === undefined) return invalid('it covers what the log does not have');
  const key = findKey(agent, keyId, request.atMs);
  if (key === undefined) return invalid(`no key of ${agent} that was valid then is here`);
  const isRight =
    Buffer.isBuffer(signature.value) && verify(null, Buffer.from(base), key, signature.value);
  return isRight ? { kind: 'valid', agent } : invalid('it is not over this request');
}

/** The agent whose name the signature covers. */
function coveredAgent(input: InnerList, header: string): string | undefined {
  const covered = input.items.find(({ value }) => value === 'signature-agent');
  if (covered === undefined) return undefined;
  const key = covered.parameters.get('key');
  if (key === undefined) return httpsHost(parseItem(header));
  return typeof key === 'string' ? httpsHost(parseDictionary(header)?.get(key)) : undefined;
}

function httpsHost(member: Item | InnerList | undefined): string | undefined {
  if (member === undefined || 'items' in member || typeof member.value !== 'string')
    return undefined;
  const url = URL.parse(member.value);
  return url?.protocol === 'https:' ? url.host : undefined;
}

/** RFC 9421, 2.5. Undefined where a component is covered that a log cannot have. */
function signatureBase(request: SignedRequest, input: InnerList): string | undefined {
  const lines: string[] = [];
  for (const item of input.items) {
    const value = componentValue(request, item);
    if (value === undefined || typeof item.value !== 'string') return undefined;
    lines.push(`${item.text}: ${value}`);
  }
  if (new Set(input.items.map(({ text }) => text)).size !== lines.length) return undefined;
  return [...lines, `"@signature-params": ${input.text}`].join('\n');
}

function componentValue(
  { method, target, signature: { authority, scheme, signatureAgent } }: SignedRequest,
  { value: name, parameters }: Item,
): string | undefined {
  if (name === 'signature-agent') {
    const key = parameters.get('key');
    if (parameters.size > (key === undefined ? 0 : 1)) return undefined;
    return typeof key === 'string'
      ? parseDictionary(signatureAgent)?.get(key)?.text
      : signatureAgent.trim();
  }
  if (parameters.size > 0) return undefined;
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (name === '@method') return method;
  if (name === '@scheme') return scheme;
  if (name === '@path') return path;
  if (name === '@query') return query === -1 ? '?' : target.slice(query);
  if (name === '@request-target') return target;
  if (authority === null) return undefined;
  if (name === '@authority') return authority;
  return name === '@target-uri' ? `${scheme}://${authority}${target}` : undefined;
}

function invalid(detail: string): SignatureAnswer {
  return { kind: 'invalid', detail };
}
