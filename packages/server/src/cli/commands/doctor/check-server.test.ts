import { createServer, request as send } from 'node:http';
import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { startApi } from '../../../../test/servers/api.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

eachDatabase('overheard doctor asks the server', (create) => {
  test('a server behind a proxy that passes everything has no fault', async () => {
    const { doctor, port, proxy } = await served(create);
    const { code, stdout } = await doctor('--port', port, '--public-url', await proxy());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +server .* runs this version$/m);
    expect(stdout).toMatch(/^ok +proxy .* passes keys and uploads$/m);
  });

  test('a proxy that takes keys out, or refuses uploads, is named with the remedy', async () => {
    const { doctor, proxy } = await served(create);
    const keyless = await doctor('--public-url', await proxy({ keepsKeys: true }));
    expect(keyless).toMatchObject({ code: 1 });
    expect(keyless.stdout).toContain('The proxy removes the header Authorization');
    const small = await doctor('--public-url', await proxy({ bytesMax: 1_000_000 }));
    expect(small.stdout).toContain('client_max_body_size 256m;');
  });
});

/** A server on its own database, and proxies before it. */
async function served(create: () => Promise<string>, ownUrl?: string) {
  const database = await create();
  const store = await openStore(database);
  onTestFinished(() => store.close());
  let publicUrl = ownUrl ?? '';
  const { app } = await startApi(store, { publicUrl: () => publicUrl });
  const target = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const doctor = (...options: readonly string[]) =>
    runCommand(['doctor', ...options, '--database', database]);
  return { doctor, port: target.port, proxy };

  async function proxy({ keepsKeys = false, bytesMax = Infinity } = {}): Promise<string> {
    const { url } = await listen((request, response) => {
      if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
        response.writeHead(413).end('Request Entity Too Large');
        return;
      }
      const { authorization, ...others } = request.headers;
      const headers = keepsKeys ? others : request.headers;
      const { method, url: path } = request;
      const passed = send(new URL(path ?? '/', target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    publicUrl = ownUrl ?? url;
    return url;
  }
}

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, close };
}
