import { once } from 'node:events';
import { createStartingServer } from '../../../api/starting-server.ts';
import { Refusal } from '../../../refusals.ts';

/** Listens while the database is not ready. Throws a `Refusal` if it cannot listen. */
export async function listenWhileStarting({
  host,
  port,
  publicUrl = '',
}: {
  host: string;
  port: number;
  publicUrl?: string | undefined;
}) {
  let sentence = 'Opening the database.';
  const server = createStartingServer(publicUrl, () => sentence);
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });
  const address = server.address();
  return {
    port: address === null || typeof address === 'string' ? port : address.port,
    /** Sets the sentence with which `/readyz` says what the server does. */
    say: (words: string) => void (sentence = words),
    /** Frees the port at once. Open requests still get their response. */
    close: (): void => void server.close(),
  };
}

/** Explains why a server cannot listen. */
export function listenFailure(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Refusal('port_unavailable', { host, port, fault: 'taken' });
  if (code === 'EACCES') {
    return new Refusal('port_unavailable', { host, port, fault: 'not_permitted' });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal('host_not_local', { host });
  }
  return error;
}
