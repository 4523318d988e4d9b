import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makePlace, now, openOnSqlite } from '../../../test/logs/log-place.ts';
import { keepFileVersion } from '../operators/file-versions.ts';
import { verifyHits } from '../hits/verify-hits.ts';
import { addOwnSite } from '../../workspaces/own-sites.ts';
import { directoryPrefix, parseDirectory } from '../operators/key-directory.ts';

const chrome = 'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const at = '2026-11-20T12:00:00.000Z';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const { x = '' } = publicKey.export({ format: 'jwk' });
const keyId = createHash('sha256')
  .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  .digest('base64url');

describe('a signed request with the user agent of a browser', () => {
  const openSqlite = openOnSqlite();
  const headers = signedHeaders('example.com');

  test('a signed request is a hit of the agent that signed it', async () => {
    const { store } = await openSqlite();
    await keepDirectory(store);
    const place = await makePlace({ store });
    await addOwnSite(store, place.workspaceId, 'example.com');
    await place.ingest(await place.write('signed.log', `${nginxLine(headers)}\n`));
    expect(await place.rows()).toMatchObject([
      {
        bot_name: 'ChatGPT Agent',
        bot_company: 'OpenAI',
        category: 'user',
        verification: 'verified',
        path: '/a',
      },
    ]);
  });

  test('a signature for another site neither verifies nor accuses', async () => {
    const { store } = await openSqlite();
    await keepDirectory(store);
    const place = await makePlace({ store });
    const line = nginxLine(signedHeaders('other.example'));
    await place.ingest(await place.write('signed.log', `${line}\n`));
    expect(
      (await place.rows()).map(({ verification, evidence }) => [verification, evidence]),
    ).toEqual([['unverified', expect.stringContaining('signature_invalid')]]);
  });

  test('a signature verifies only on an own site, since strangers can send on what they got', async () => {
    const { store } = await openSqlite();
    await keepDirectory(store);
    const place = await makePlace({ store });
    await addOwnSite(store, place.workspaceId, 'acme.example');
    await place.ingest(await place.write('signed.log', `${nginxLine(headers)}\n`));
    const verdicts = async () =>
      (await place.rows()).map(({ verification, evidence }) => [verification, evidence]);
    expect(await verdicts()).toEqual([
      ['unverified', expect.stringContaining('overheard sites add')],
    ]);
    await addOwnSite(store, place.workspaceId, 'example.com');
    const { signal } = new AbortController();
    await verifyHits(store, place.workspaceId, { hostNames: undefined, clock: () => now, signal });
    expect(await verdicts()).toEqual([['verified', expect.stringContaining('chatgpt.com')]]);
  });

  test('a signed request is verified once the keys are stored, although its query is not in the path', async () => {
    const { store } = await openSqlite();
    const place = await makePlace({ store });
    await addOwnSite(store, place.workspaceId, 'example.com');
    await place.ingest(await place.write('signed.log', `${nginxLine(headers)}\n`));
    const [hit] = await place.rows();
    expect(hit?.verification).toBe('unverified');
    await keepDirectory(store);
    const { signal } = new AbortController();
    await verifyHits(store, hit?.workspace_id ?? '', {
      hostNames: undefined,
      clock: () => now,
      signal,
    });
    expect((await place.rows())[0]?.verification).toBe('verified');
  });
});

interface Headers {
  readonly agent: string;
  readonly input: string;
  readonly signature: string;
}

function signedHeaders(authority: string): Headers {
  const seconds = Date.parse(at) / 1000;
  const agent = '"https://chatgpt.com"';
  const components = '("@authority" "@target-uri" "signature-agent")';
  const parameters = `${components};created=${seconds};expires=${seconds + 60};keyid="${keyId}";alg="ed25519";tag="web-bot-auth"`;
  const base = [
    `"@authority": ${authority}`,
    `"@target-uri": https://${authority}/a?b=c`,
    `"signature-agent": ${agent}`,
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64');
  return { agent, input: `sig1=${parameters}`, signature: `sig1=:${signature}:` };
}

/** As the `log_format` in docs/crawlers.md writes it. */
function nginxLine({ agent, input, signature }: Headers): string {
  return JSON.stringify({
    time_iso8601: at.replace('.000Z', '+00:00'),
    remote_addr: '45.9.148.3',
    request_method: 'GET',
    request_uri: '/a?b=c',
    scheme: 'https',
    http_host: 'example.com',
    status: '200',
    http_user_agent: chrome,
    http_signature_agent: agent,
    http_signature_input: input,
    http_signature: signature,
  });
}

async function keepDirectory(store: Awaited<ReturnType<ReturnType<typeof openOnSqlite>>>['store']) {
  await keepFileVersion(store.writer, {
    fileId: `${directoryPrefix}chatgpt.com`,
    content: parseDirectory(JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x }] })),
    firstMs: now,
    lastMs: now,
  });
}
