// @module-tag slow

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collect, open, parseAnswers } from '../../../test/servers/raw-socket.ts';
import { onTheWire, outcomes } from '../../../test/servers/wire.ts';

const { listen } = onTheWire();

/** More than the sockets between server and client hold. */
const rest = Buffer.alloc(16 * 1024 * 1024, 'a');

describe('a client that goes on sending after it was refused', () => {
  test.each([
    ['a body', 'POST /api/v1/scores HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n', 405],
    ['a body to nowhere', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n', 404],
    ['behind an invalid host', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['no request at all', 'garbage\r\n\r\n', 400],
    ['an endless header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', 431],
    ['through a tunnel', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])(
    'a client that keeps sending after a refusal gets its response: %s',
    async (_what, head, status) => {
      const { port } = await listen();
      for (let time = 0; time < 8; time += 1) {
        const socket = await open(port);
        const received = collect(socket);
        socket.write(head);
        socket.write(rest);
        expect(parseAnswers(await received).map((response) => response.status)).toEqual([status]);
      }
    },
  );

  test(
    'a client that keeps sending after a refusal is cut off if it never stops',
    { tags: ['long'] },
    async () => {
      const { api, port } = await listen();
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => {});
      await once(socket, 'connect');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.write('POST /api/v1/scores HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
      while (!socket.destroyed) {
        socket.write('5\r\nhello\r\n');
        await setTimeout(5);
      }
      expect(outcomes(parseAnswers(Buffer.concat(chunks)))).toEqual(['method_not_allowed']);
      expect(api.lines()).toHaveLength(1);
    },
  );
});
