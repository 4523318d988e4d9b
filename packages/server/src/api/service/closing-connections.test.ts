// @module-tag slow

import { describe, expect, test } from 'vitest';
import { collect, open, parseAnswers } from '../../../test/servers/raw-socket.ts';
import { onTheWire } from '../../../test/servers/wire.ts';

const { listen } = onTheWire();

/** More than the sockets between server and client hold. */
const rest = Buffer.alloc(16 * 1024 * 1024, 'a');

describe('a client that goes on sending after it was refused', () => {
  test.each([
    ['a body', 'POST /api/v1/scores HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n', 405],
    ['an endless header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', 431],
  ])(
    'a client that keeps sending after a refusal gets its response: %s',
    async (_what, head, status) => {
      const { port } = await listen();
      for (let time = 0; time < 4; time += 1) {
        const socket = await open(port);
        const received = collect(socket);
        socket.write(head);
        socket.write(rest);
        expect(parseAnswers(await received).map((response) => response.status)).toEqual([status]);
      }
    },
  );
});
