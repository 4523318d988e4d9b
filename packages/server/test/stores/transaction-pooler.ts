/** What PgBouncer's transaction mode forbids, before a real database: its rules, not its pooling. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TransactionPooler {
  /** The database's URL, through the pooler. */
  readonly url: string;
  /** Names of the statements that a client has tried to prepare. */
  readonly prepared: readonly string[];
}

const sessionParameters = ['options', 'statement_timeout'];

/** Starts a pooler that refuses parameters of the session, or ignores them; it ends with the test. */
export async function startPooler(
  databaseUrl: string,
  { ignoresParameters }: { ignoresParameters: boolean },
): Promise<TransactionPooler> {
  const prepared: string[] = [];
  const pooler = createServer((client) => {
    const database = connect(Number(new URL(databaseUrl).port), '127.0.0.1');
    database.pipe(client);
    client.once('data', (startup: Buffer) => {
      const parameters = parametersOf(startup);
      const refused = sessionParameters.find((name) => parameters.has(name));
      if (refused !== undefined && !ignoresParameters) {
        client.end(refusal(`unsupported startup parameter: ${refused}`));
        return;
      }
      for (const name of sessionParameters) parameters.delete(name);
      database.write(startupOf(parameters));
      let rest = Buffer.alloc(0);
      client.on('data', (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
          const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
          rest = rest.subarray(message.length);
          const name = statementName(message);
          if (name !== '') prepared.push(name);
          database.write(message);
        }
      });
    });
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  onTestFinished(() => void pooler.close());
  const address = pooler.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  const url = Object.assign(new URL(databaseUrl), { port: String(address.port) }).href;
  return { url, prepared };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, StartupMessage */
function parametersOf(startup: Buffer): Map<string, string> {
  const words = startup.subarray(8).toString().split('\0');
  const pairs = words.flatMap((word, index) =>
    index % 2 === 0 && word !== '' ? [[word, words[index + 1] ?? ''] as const] : [],
  );
  return new Map(pairs);
}

function startupOf(parameters: ReadonlyMap<string, string>): Buffer {
  const words = [...parameters].flatMap(([name, value]) => [name, value]);
  const body = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.writeUInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
}

function statementName(message: Buffer): string {
  if (message.at(0) !== 'P'.charCodeAt(0)) return '';
  return message.subarray(5, message.indexOf(0, 5)).toString();
}

function refusal(sentence: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${sentence}\0\0`);
  const head = Buffer.from('E....');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
