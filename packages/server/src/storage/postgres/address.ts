import { userInfo } from 'node:os';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import pgpass from 'pgpass';
import { Refusal, isRefusal } from '../../refusals.ts';

/** The address of a PostgreSQL database, with the credentials. */
export interface ServerAddress {
  /** The driver's settings, with a password or a function that looks it up. */
  readonly config: ClientConfig;
  /** `db.internal:5432`, or the path of a socket; for messages. */
  readonly place: string;
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Reads the URL of a database and, for missing parts, PGHOST, PGPORT, PGUSER, PGPASSWORD,
 * PGDATABASE, PGSSLMODE and the password file, as psql does. Throws a `Refusal` for a URL that
 * cannot be read. The message does not repeat the URL, because it may contain a password.
 */
export function readAddress(url: string): ServerAddress {
  try {
    if (strayCharacters.test(url)) throw addressRefusal();
    const parsed = parse(withStrictTls(url));
    refuseUnknownSslMode(parsed['sslmode']);
    const config = toClientConfig(parsed);
    // A client that is never connected. It shows how the driver interprets the URL and the
    // environment.
    const {
      host,
      port,
      user = userInfo().username,
      database = user,
      password,
    } = new Client(config);
    if (!(port >= 1 && port <= 65_535)) throw addressRefusal();
    const isSocket = host.startsWith('/');
    return {
      config: {
        ...config,
        user,
        database,
        ...(!password && { password: () => readPassfile({ host, port, database, user }) }),
      },
      place: isSocket ? `${host}/.s.PGSQL.${port}` : hostAndPort(host, port),
      host,
      user,
      database,
    };
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw missingFile(error) ?? addressRefusal(error);
  }
}

/**
 * An unescaped `/`, `?` or `#` in a password ends it. The rest would be read as a host or a name,
 * and shown.
 */
const strayCharacters = /#|^\w+:\/\/[^/?]*[/?].*@/;

/**
 * The driver verifies the server's certificate in each of these modes, and warns on stderr that
 * this will change. `verify-full` does the same without the warning.
 */
function withStrictTls(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, '$1verify-full');
}

function refuseUnknownSslMode(mode: unknown): void {
  if (mode === undefined || sslModes.some((supported) => supported === mode)) return;
  throw new Refusal('sslmode_unknown', {});
}

function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

async function readPassfile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  const hosts = connection.host.startsWith('/')
    ? [connection.host, 'localhost']
    : [connection.host];
  for (const host of hosts) {
    const password = await new Promise<string | undefined>((resolve) => {
      pgpass({ ...connection, host }, resolve);
    });
    if (password !== undefined) return password;
  }
  throw new Refusal('postgres_password_missing', {});
}

function missingFile(error: unknown): Refusal | undefined {
  if (!(error instanceof Error && 'path' in error)) return undefined;
  const path = String(error.path);
  return new Refusal('tls_file_unreadable', { path }, { cause: error });
}

function addressRefusal(cause?: unknown): Refusal {
  return new Refusal('postgres_address_malformed', {}, { cause });
}
