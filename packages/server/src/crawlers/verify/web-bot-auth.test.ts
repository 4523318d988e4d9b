import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FileVersion } from '../operators/file-versions.ts';
import { createKeyFinder, directoryPrefix, parseDirectory } from '../operators/key-directory.ts';
import { MalformedList } from '../operators/list-file.ts';
import { signatureAgentHost, verifySignature } from './web-bot-auth.ts';

const at = Date.parse('2026-11-20T12:00:00.000Z');
const seconds = at / 1000;
const agent = 'agent.example';
const userAgent = 'AgentBrowser/1.0';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const { x = '' } = publicKey.export({ format: 'jwk' });
const keyId = createHash('sha256')
  .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  .digest('base64url');

interface SignOptions {
  readonly label?: string;
  readonly components?: readonly string[];
  readonly header?: string;
  /** The value that is signed for the Signature-Agent component. */
  readonly signedAgent?: string;
  readonly created?: number;
  readonly expires?: number;
  readonly tag?: string;
  readonly authority?: string;
}

const stringForm = `"https://${agent}"`;
const dictionaryForm = `g="https://${agent}"`;

/** Signs a request by RFC 9421. Written independently of the code that verifies it. */
function signed({
  label = 'sig1',
  components = ['"@authority"', '"signature-agent"'],
  header = stringForm,
  signedAgent = stringForm,
  created = seconds - 5,
  expires = seconds + 300,
  tag = 'web-bot-auth',
  authority = 'example.com',
}: SignOptions = {}) {
  const parameters = `(${components.join(' ')});created=${created};expires=${expires};keyid="${keyId}";alg="ed25519";tag="${tag}"`;
  const values: Readonly<Record<string, string>> = {
    '"@authority"': authority,
    '"@method"': 'GET',
    '"@path"': '/a',
    '"@query"': '?b=c',
    '"user-agent"': userAgent,
    '"@target-uri"': `https://${authority}/a?b=c`,
    '"signature-agent"': signedAgent,
    '"signature-agent";key="g"': signedAgent,
  };
  const base = [
    ...components.map((name) => `${name}: ${values[name] ?? ''}`),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64');
  return {
    atMs: at,
    method: 'GET',
    target: '/a?b=c',
    userAgent,
    signature: {
      signatureAgent: header,
      signatureInput: `${label}=${parameters}`,
      signature: `${label}=:${signature}:`,
      authority: 'example.com',
      scheme: 'https',
    },
  } as const;
}

const findKey = finder({});
const findNoKey = createKeyFinder(new Map());

describe('a signature is valid', () => {
  test('a signature with Signature-Agent as a string is valid', () => {
    expect(verifySignature(signed(), findKey)).toEqual({ kind: 'valid', agent });
  });

  test('a signature with Signature-Agent as a dictionary is valid', () => {
    const request = signed({
      label: 'g',
      components: ['"@authority"', '"signature-agent";key="g"'],
      header: dictionaryForm,
    });
    expect(verifySignature(request, findKey)).toEqual({ kind: 'valid', agent });
  });

  test('a signature over method, path, query and the whole URL is valid', () => {
    const components = [
      '"@method"',
      '"@target-uri"',
      '"@path"',
      '"@query"',
      '"user-agent"',
      '"signature-agent"',
    ];
    expect(verifySignature(signed({ components }), findKey).kind).toBe('valid');
  });
});

describe('a signature is not valid', () => {
  const invalid: ReadonlyArray<readonly [string, Parameters<typeof verifySignature>[0]]> = [
    ['where Signature-Agent is there but not covered', signed({ components: ['"@authority"'] })],
    ['where the site is not covered', signed({ components: ['"signature-agent"'] })],
    ['over another site', signed({ authority: 'other.example' })],
    ['that was made an hour later', signed({ created: seconds + 3600, expires: seconds + 7200 })],
    ['that had expired', signed({ created: seconds - 7200, expires: seconds - 3600 })],
    ['for ten years', signed({ created: seconds - 60, expires: seconds + 315_360_000 })],
    ['that ends before it begins', signed({ created: seconds + 30, expires: seconds - 30 })],
    ['for another purpose', signed({ tag: 'other' })],
    ['of another agent than the header names', signed({ header: '"https://other.example"' })],
    [
      'over a header that a log lacks',
      signed({ components: ['"@authority"', '"signature-agent"', '"accept"'] }),
    ],
    [
      'over another user agent',
      {
        ...signed({ components: ['"user-agent"', '"@authority"', '"signature-agent"'] }),
        userAgent: 'GPTBot/1.3',
      },
    ],
    [
      'over another method',
      {
        ...signed({ components: ['"@method"', '"@authority"', '"signature-agent"'] }),
        method: 'POST',
      },
    ],
    [
      'in headers that cannot be read',
      { ...signed(), signature: { ...signed().signature, signatureInput: 'sig1=(' } },
    ],
    [
      'without the name of the site in the log',
      { ...signed(), signature: { ...signed().signature, authority: null } },
    ],
  ];

  test.each(invalid)('a signature is not valid: %s', (_title, request) => {
    expect(verifySignature(request, findKey).kind).toBe('invalid');
  });

  test('a signature with one changed bit is not valid', () => {
    const request = signed();
    const bytes = Buffer.from(request.signature.signature.slice(6, -1), 'base64');
    bytes.writeUInt8(bytes.readUInt8(10) ^ 1, 10);
    const signature = `sig1=:${bytes.toString('base64')}:`;
    const changed = { ...request, signature: { ...request.signature, signature } };
    expect(verifySignature(changed, findKey)).toEqual({
      kind: 'invalid',
      detail: 'it is not over this request',
    });
  });

  test('a signature with a key that was not in the directory or in force is not valid', () => {
    expect(verifySignature(signed(), findNoKey).kind).toBe('invalid');
    expect(verifySignature(signed(), finder({ nbf: seconds + 60 })).kind).toBe('invalid');
    expect(verifySignature(signed(), finder({ exp: seconds - 60 })).kind).toBe('invalid');
    expect(verifySignature(signed(), finder({ exp: seconds + 60 })).kind).toBe('valid');
    expect(verifySignature(signed(), finder({ days: 60 })).kind).toBe('invalid');
  });
});

test('the agent is read from either form of the header', () => {
  const { signature } = signed();
  expect(signatureAgentHost(signature)).toBe(agent);
  expect(signatureAgentHost({ ...signature, signatureAgent: dictionaryForm })).toBe(agent);
  expect(
    signatureAgentHost({ ...signature, signatureAgent: '"http://agent.example"' }),
  ).toBeUndefined();
  expect(signatureAgentHost({ ...signature, signatureAgent: 'nonsense"' })).toBeUndefined();
});

test('a directory without a key of the right kind is refused', () => {
  expect(() => parseDirectory('{"keys":[{"kty":"RSA"}]}')).toThrow(MalformedList);
  expect(() => parseDirectory('<html>')).toThrow(MalformedList);
});

function finder({ nbf, exp, days = 0 }: { nbf?: number; exp?: number; days?: number }) {
  const key = {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid: keyId,
    ...(nbf !== undefined && { nbf }),
    ...(exp !== undefined && { exp }),
  };
  const heldMs = at - days * 86_400_000;
  const held: FileVersion = {
    firstMs: heldMs,
    lastMs: heldMs,
    content: parseDirectory(JSON.stringify({ keys: [{ kty: 'RSA' }, key] })),
  };
  return createKeyFinder(new Map([[directoryPrefix + agent, [held]]]));
}
