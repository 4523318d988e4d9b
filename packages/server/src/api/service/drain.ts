import type { FastifyInstance } from 'fastify';

/** When the last requests are cut off, after the signal: what follows must end within 10 seconds. */
const cutOffMs = 8500;

/**
 * Stops without dropping an accepted request. For `graceMs` connections are still accepted, served
 * and asked to close; then nothing new is accepted, and what is under way may end. Resolves within
 * 9 seconds.
 */
export async function drain(app: FastifyInstance, { graceMs }: { graceMs: number }): Promise<void> {
  await sleep(graceMs);
  const timer = setTimeout(() => app.server.closeAllConnections(), cutOffMs - graceMs);
  await app.close();
  clearTimeout(timer);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
