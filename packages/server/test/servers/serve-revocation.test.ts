import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createKey, revokeKey } from '../../src/access/keys.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { runCommand } from '../commands/command-line.ts';
import { startServer } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

/** Sends a request on the agent's one connection; gives its status and the port it came from. */
function ask(agent: Agent, url: string, key: string): Promise<{ status: number; port: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(`${url}/api/v1/prompts`, { agent, headers }, (response) => {
      const port = response.socket.localPort ?? 0;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, port }));
    })
      .on('error', reject)
      .end();
  });
}

eachDatabase('a key that is revoked in one process', (create) => {
  test(
    'a key that is revoked in one process is refused by another on the next request of an open connection',
    { tags: ['once'] },
    async () => {
      const database = await create();
      const store = await openStore(database, { mayCreate: true });
      onTestFinished(() => store.close());
      const { workspaceId, key, keyId } = await newTenant(store, { clock: Date.now });
      const { key: second, record } = await createKey(store, {
        workspaceId,
        name: 'second',
        clock: Date.now,
      });
      const { url } = await startServer(database);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());

      const before = await ask(agent, url, key);
      await revokeKey(store, keyId, { clock: Date.now });
      const after = await ask(agent, url, key);
      expect(before.status).toBe(200);
      expect(after).toEqual({ status: 401, port: before.port });

      // By the command line as by the library, and the other keys of the workspace go on.
      expect((await ask(agent, url, second)).status).toBe(200);
      const revoked = await runCommand(['key', 'revoke', record.id, '--database', database]);
      expect(revoked.code, revoked.stderr).toBe(0);
      expect((await ask(agent, url, second)).status).toBe(401);
    },
  );
});
