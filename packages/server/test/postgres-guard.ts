import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

/**
 * A process of its own: when the process that started it ends, in whatever way, its standard input
 * closes; then the server is ended and its folder removed.
 */
const [folder = '', data = '', control = '', uid, gid] = process.argv.slice(2);
const owner = uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };

process.stdin.resume().on('close', () => {
  spawnSync(control, ['stop', '-w', '-s', '-D', data, '-m', 'immediate'], { ...owner, cwd: '/' });
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});
