import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ok, warning } from '../../finding.ts';
import type { Finding } from '../../finding.ts';
import type { DatabaseFiles } from '../files/files.ts';

const forOthers = 0o077;
const writableByAll = 0o002;
/**
 * The mode of a folder such as /tmp, where everybody may add files but nobody may replace
 * another's.
 */
const sticky = 0o1000;

/**
 * Checks that only their owner can read and replace the files. Files of older versions have the
 * mode of the umask, and contain answers, client addresses and hashes of keys.
 */
export function checkPrivacy({ data, access, ledger }: DatabaseFiles): Finding[] {
  // Windows has no modes.
  if (process.platform === 'win32') return [];
  const folder = dirname(data);
  const findings = [data, access, ledger].flatMap(checkFile);
  const mode = modeOf(folder);
  if ((mode & writableByAll) !== 0 && (mode & sticky) === 0) {
    findings.push(
      warning(
        'permissions',
        `${folder} has mode ${octal(folder)}: every user of this machine may replace its files.`,
        `Keep it to its user: chmod 700 ${folder}`,
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [ok('permissions', 'the files belong to their user alone')];
}

/** A log and its index have the mode of their file, unless it was changed since. */
function checkFile(path: string): Finding[] {
  const open = [path, `${path}-wal`, `${path}-shm`].find(
    (each) => (modeOf(each) & forOthers) !== 0,
  );
  if (open === undefined) return [];
  return [
    warning(
      'permissions',
      `${open} has mode ${octal(open)}: other users of this machine may reach it.`,
      `Keep it to its user: chmod 600 ${path}*`,
    ),
  ];
}

function modeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
}

function octal(path: string): string {
  return (modeOf(path) & 0o777).toString(8);
}
