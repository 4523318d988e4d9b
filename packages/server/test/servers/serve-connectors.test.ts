import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newPerson } from '../browsers/people.ts';
import { eachDatabase } from '../stores/stores.ts';
import { authorizePath, asked } from './assistants.ts';
import { startServer } from './server-process.ts';

eachDatabase({ title: 'overheard serve and assistants', onBoth: false }, (create) => {
  test('a client document at an address that is not public is never connected to', async () => {
    let connected = 0;
    const inside = createServer((socket) => {
      connected += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void inside.close());
    await once(inside, 'listening');
    const address = inside.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const database = await create();
    const store = await openStore(database);
    const { session } = await newPerson(store, { clock: Date.now });
    await store.close();
    const { url } = await startServer(database, ['--log-level', 'error']);
    const cookie = `__Host-overheard-${new URL(url).port}=${session}`;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '169.254.169.254',
    ]) {
      const { href } = new URL(`https://${host}:${port}/client.json`);
      const path = authorizePath({ ...asked, client_id: href, resource: `${url}/mcp` });
      const headers = { cookie, accept: 'text/html' };
      const response = await fetch(url + path, { headers, redirect: 'manual' });
      expect([href, response.status]).toEqual([href, 400]);
      expect(await response.text()).toContain('This assistant is unknown');
    }
    expect(connected).toBe(0);
  });

  test('with --connectors off nothing is served that connects an assistant', async () => {
    const { url } = await startServer(await create(), ['--connectors', 'off']);
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(response.status).toBe(404);
  });
});
