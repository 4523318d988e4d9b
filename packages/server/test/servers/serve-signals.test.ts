import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

eachDatabase('a signal', (create, dialect) => {
  test.runIf(dialect === 'sqlite')(
    'two signals at once count as one, and the server drains; a later one ends it at once',
    async () => {
      const server = await startServer(await create());
      const unfinished = connect(server.port, '127.0.0.1');
      onTestFinished(() => void unfinished.destroy());
      unfinished.on('error', () => {});
      unfinished.write('GET /healthz HTTP/1.1\r\n');
      await setTimeout(200);

      const ended = server.stop('SIGTERM');
      await setTimeout(100);
      void server.stop('SIGTERM');
      // It waits for the request that has begun to arrive.
      expect(await Promise.race([ended, setTimeout(2000, 'draining')])).toBe('draining');
      expect(await server.stop('SIGTERM')).toMatchObject({ code: 143 });
    },
  );
});
