/**
 * Ten thousand connections that say nothing, and a client beside them that is served. Not part of
 * the tests: it needs `ulimit -n` above 10,100. Run it by hand; it starts a server:
 *
 *   npm run check:idle-sockets
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../bin/overheard.js');
const count = 10_000;
const atOnce = 500;

const folder = await mkdtemp(join(tmpdir(), 'overheard-idle-'));
const database = `file:${join(folder, 'idle.db')}`;
const child = spawn(
  process.execPath,
  [program, 'serve', '--port', '0', '--database', database, '--create', '--log-level', 'error'],
  { env: {}, stdio: ['ignore', 'ignore', 'pipe'] },
);
try {
  let said = '';
  while (!said.includes('http')) said += String(await once(child.stderr, 'data'));
  const url = new URL(/http\S+/.exec(said)?.[0] ?? '');
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    sockets.push(...(await Promise.all(Array.from({ length: atOnce }, () => openSocket(url)))));
  }
  const beganMs = performance.now();
  const response = await fetch(new URL('/healthz', url));
  const servedMs = performance.now() - beganMs;
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  process.stdout.write(
    `${open} idle connections; beside them: ${response.status} in ${servedMs.toFixed(1)} ms\n`,
  );
  await Promise.all(sockets.map(async (socket) => socket.closed || once(socket, 'close')));
  process.stdout.write(
    `The server closed them all within ${((performance.now() - beganMs) / 1000).toFixed(1)} s\n`,
  );
  process.exitCode = response.ok && open === count ? 0 : 1;
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
}

async function openSocket(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket.resume();
}
