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

  test.for([
    ['off', 404, false],
    ['documents', 200, false],
    ['all', 200, true],
  ] as const)('--connectors %s', async ([connectors, status, mayRegister]) => {
    const { url } = await startServer(await create(), ['--connectors', connectors]);
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(response.status).toBe(status);
    expect('registration_endpoint' in Object(await response.json())).toBe(mayRegister);
  });

  test.for([
    [
      ['--public-url', 'https://example.com/overheard'],
      ['https://example.com/overheard must be https, or this machine, without a path.'],
    ],
    [['--connectors', 'off'], ['--connectors is off.']],
    [[], []],
  ] as const)(
    'serve %j says why assistants cannot sign in: %j',
    { tags: ['long'] },
    async ([options, causes]) => {
      const server = await startServer(await create(), options);
      const { stderr, stdout } = await server.stop();
      const said = (stderr + stdout).matchAll(/Assistants cannot sign in: ([^"]*)/g);
      expect([...said].map(([, cause]) => cause)).toEqual(causes);
    },
  );
});
