/**
 * The pages in a test: `startWeb` builds them on a store; a `Visitor` is a browser without script,
 * which keeps cookies and sends forms, without a socket.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createDeadline } from '../../src/api/service/deadline.ts';
import type { JobRunner } from '../../src/jobs/job-runner.ts';
import { createMetrics } from '../../src/api/service/metrics.ts';
import { runReport } from '../../src/web/reader/run-report.ts';
import type { ReportReader } from '../../src/web/reader/report-reader.ts';
import type { Store } from '../../src/storage/store.ts';
import { buildWebApp } from '../../src/web/app.ts';
import type { Route, WebDependencies } from '../../src/web/request/page-context.ts';
import { nowMs } from '../servers/api.ts';

export const webUrl = 'https://overheard.example.com';

/** For tests without long work. */
const refuseJob = () => Promise.reject(new Error('The test has no job runner'));
const noRunner: JobRunner = {
  add: refuseJob,
  retry: refuseJob,
  preview: refuseJob,
  stop: () => Promise.resolve(),
};

/** Reads reports in this thread, from the store of the test. */
function readerHere(store: Store): Pick<ReportReader, 'of'> {
  const { reader: db } = store;
  const of: ReportReader['of'] = (workspaceId) => ({
    read: async (name, query) =>
      JSON.parse(JSON.stringify(await runReport({ db, workspaceId, store }, name, query))),
  });
  return { of };
}

/** The pages, and what they have logged. */
export interface Web {
  readonly app: FastifyInstance;
  readonly text: () => string;
}

/** Builds the pages on a store; they are closed after the test. */
export async function startWeb(
  store: Store,
  dependencies: Partial<Omit<WebDependencies, 'store'>> = {},
  routes?: readonly Route[],
): Promise<Web> {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const deadline = createDeadline();
  const app = await buildWebApp(
    {
      store,
      log: pino({ base: null }, stream),
      clock: () => nowMs,
      publicUrl: () => webUrl,
      quota: 300,
      trustProxy: [],
      isDraining: () => false,
      mayUsePlainHttp: false,
      command: (words) => words,
      linkCommand: () => 'overheard user link',
      environment: {},
      prices: [],
      runner: noRunner,
      reports: readerHere(store),
      connectors: 'documents',
      fetchDocument: () => Promise.reject(new Error('The test has no documents')),
      uploadBytesMax: 1_000_000,
      toolServer: { command: 'npx', args: ['-y', 'overheard-mcp'] },
      ...dependencies,
    },
    { metrics: createMetrics(), deadline },
    routes,
  );
  onTestFinished(async () => {
    deadline.stop();
    await app.close();
  });
  return { app, text: () => chunks.join('') };
}

interface VisitorOptions {
  /** The token of a session that was started by another door. */
  readonly session?: string;
  readonly device?: string;
  readonly address?: string;
}

/** A browser without script. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #app: FastifyInstance;
  readonly #address: string;

  constructor({ app }: Pick<Web, 'app'>, { session, device, address }: VisitorOptions = {}) {
    this.#app = app;
    this.#address = address ?? '192.0.2.1';
    if (session !== undefined) this.cookies.set('__Host-overheard-443', session);
    if (device !== undefined) this.cookies.set('__Host-overheard-443-device', device);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}) {
    return this.#send({ method: 'GET', url: path, headers });
  }

  /** Sends a form, as a browser does from a page of this server unless `headers` say otherwise. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ) {
    return this.postText(path, new URLSearchParams(fields).toString(), headers);
  }

  /** Sends a form as it is written on the wire: a field may be there more than once. */
  postText(
    path: string,
    payload: string,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ) {
    const type = 'application/x-www-form-urlencoded';
    const sent = { 'content-type': type, ...headers };
    return this.#send({ method: 'POST', url: path, headers: sent, payload });
  }

  /** Sends a form with a file, as a browser does. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { readonly name: string; readonly content: string | Buffer },
  ) {
    const { payload, type } = multipart(fields, file);
    return this.#send({
      method: 'POST',
      url: path,
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    });
  }

  async #send(request: {
    method: 'GET' | 'POST';
    url: string;
    headers: Readonly<Record<string, string>>;
    payload?: string | Buffer;
  }): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#app.inject({
      ...request,
      remoteAddress: this.#address,
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }), ...request.headers },
    });
    for (const { name, value } of response.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** A form with a file, as browsers write it. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  { name, content }: { readonly name: string; readonly content: string | Buffer },
): { payload: Buffer; type: string } {
  const boundary = '----overheard-test';
  const head = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const payload = Buffer.concat([
    Buffer.from(head.join('') + file),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { payload, type: `multipart/form-data; boundary=${boundary}` };
}

/** The value of a hidden field of a page. */
export function hiddenField({ body }: LightMyRequestResponse, name: string): string {
  return new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(body)?.[1] ?? '';
}

/** How many uploads this process holds open; undefined where the system does not say it. */
export function openUploads(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const paths = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // Closed since the folder was read.
      return '';
    }
  });
  return paths.filter((path) => /\/overheard-[^/]+ \(deleted\)$/.test(path)).length;
}
