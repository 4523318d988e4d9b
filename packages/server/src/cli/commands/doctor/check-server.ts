import { z } from 'zod';
import { ok, problem, warning } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { errnoOf } from '../../../values/errno.ts';
import { version } from '../../../version.ts';

interface Tools {
  readonly fetch: typeof globalThis.fetch;
}

const waitMs = 5000;
/** More than the 1 MB that nginx takes if nobody sets `client_max_body_size`. */
const uploadBytes = 2_000_000;

const health = z.object({ status: z.string(), version: z.string() });
const refusal = z.object({ code: z.string(), type: z.string() });

/** Checks that this version of the server answers on a port of this machine. */
export async function checkPort(
  { host, port }: { host: string; port: number },
  { fetch }: Tools,
): Promise<Finding> {
  const isEvery = host === '0.0.0.0' || host === '::';
  const name = isEvery ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${port}`;
  const found = await ask(fetch, `${url}/healthz`);
  if (found.status === 0) {
    const advice =
      'Start it: overheard serve. If it listens elsewhere, give its --host and --port.';
    return warning('server', `Nothing answers at ${url}.`, advice);
  }
  const own = read(health, found.body);
  if (own === undefined) {
    const advice = 'Choose a free port with --port.';
    return problem('server', `Another program answers at ${url}.`, advice);
  }
  if (own.version === version) return ok('server', `${url} runs this version`);
  return warning(
    'server',
    `${url} runs version ${own.version}, and this is ${version}.`,
    'Restart the service, so that it runs the installed version.',
  );
}

/**
 * Checks that the public address leads to a server of ours, and that the proxy before it passes keys
 * and uploads. Contacts no other address.
 */
export async function checkPublicUrl(publicUrl: string, { fetch }: Tools): Promise<Finding[]> {
  const found = await ask(fetch, `${publicUrl}/healthz`);
  if (found.status === 0) {
    if (/CERT|SIGNATURE/.test(found.body)) {
      const happened = `This machine does not accept the certificate of ${publicUrl} (${found.body}).`;
      const advice =
        'Give the proxy a valid one. If an authority of your own signed it, run doctor with NODE_EXTRA_CA_CERTS=FILE.';
      return [problem('proxy', happened, advice)];
    }
    const advice = 'Check that its name leads here, and that the proxy runs.';
    return [problem('proxy', `Nothing answers at ${publicUrl}.`, advice)];
  }
  if (read(health, found.body) === undefined) {
    const happened = `${publicUrl}/healthz does not lead to Overheard: it responds ${found.status}.`;
    return [problem('proxy', happened, 'Let the proxy pass every path to the address of `serve`.')];
  }
  const faults = [
    ...(await checkKeys(publicUrl, { fetch })),
    ...(await checkUpload(publicUrl, { fetch })),
  ];
  return faults.length > 0 ? faults : [ok('proxy', `${publicUrl} passes keys and uploads`)];
}

/** Sends a key that opens nothing, and reads from the refusal what arrived. */
async function checkKeys(publicUrl: string, { fetch }: Tools): Promise<Finding[]> {
  const headers = { authorization: 'Bearer doctor' };
  const found = await ask(fetch, `${publicUrl}/api/v1/scores`, { headers });
  const refused = read(refusal, found.body);
  if (refused?.code === 'missing_api_key') {
    const happened = 'The proxy removes the header Authorization, so that no key works.';
    return [problem('proxy', happened, 'Let it pass the header to the address of `serve`.')];
  }
  if (refused === undefined || refused.type.startsWith(`${publicUrl}/`)) return [];
  const { origin } = new URL(refused.type);
  const happened = `The server behind ${publicUrl} takes its address for ${origin}.`;
  return [warning('proxy', happened, `Start it with --public-url ${publicUrl}.`)];
}

/** Sends a body to a path that takes none: only a proxy refuses its size. */
async function checkUpload(publicUrl: string, { fetch }: Tools): Promise<Finding[]> {
  const body = Buffer.alloc(uploadBytes);
  const found = await ask(fetch, `${publicUrl}/api/v1/scores`, { method: 'POST', body });
  if (found.status !== 413 || found.isOurs) return [];
  return [
    warning(
      'proxy',
      'The proxy refuses bodies of 2 MB, so that uploads of files fail.',
      'Let it take 256 MB. In nginx: client_max_body_size 256m;',
    ),
  ];
}

async function ask(fetch: Tools['fetch'], url: string, init: RequestInit = {}) {
  try {
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetch(url, { redirect: 'manual', signal, ...init });
    /** Whether the server itself responded. */
    const isOurs = response.headers.has('x-request-id');
    return { status: response.status, body: await response.text(), isOurs };
  } catch (error) {
    // Nothing responds in time; `body` is then the code of the failure, if it has one.
    const body = errnoOf(error instanceof Error ? error.cause : undefined);
    return { status: 0, body, isOurs: false };
  }
}

function read<Value>(schema: z.ZodType<Value>, body: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
