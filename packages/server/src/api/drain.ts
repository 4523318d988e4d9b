import type { FastifyInstance } from 'fastify';

/** After the signal: how long requests are still accepted, and when the last ones are cut off. */
const graceMs = 700;
const cutOffMs = 8500;

/**
 * Stops without dropping an accepted request: for a moment connections are still served and told to
 * close, then nothing new is accepted, then what is under way may end. Resolves within 9 seconds.
 */
export async function drain(app: FastifyInstance): Promise<void> {
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
