import { createServer, request as httpRequest } from 'node:http';

/** Passes requests on with a key, because the suite sends none. */
export async function startKeyProxy({ url: target, key }: { url: string; key: string }) {
  const { hostname, host, port: targetPort } = new URL(target);
  const port = () => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      authorization: `Bearer ${key}`,
      // The proxy's own address is the server's.
      ...(incoming.headers.origin === `http://127.0.0.1:${port()}` && { origin: target, host }),
    };
    const passed = httpRequest(
      { hostname, port: targetPort, path: incoming.url, method: incoming.method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.once('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port()}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
