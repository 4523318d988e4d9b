import { isRefusal } from '../../../refusals.ts';
import { ok, problem, refusalProblem, warning } from '../../finding.ts';
import type { Finding } from '../../finding.ts';
import { isBusy, mapSqliteFailure } from '../failures.ts';
import { openHandle } from '../handle.ts';

/** Longer than any commit takes. */
const waitMs = 1000;

/** Takes and releases the lock that a server needs to count requests. Changes nothing. */
export function checkCounters(path: string): Finding {
  try {
    const database = openHandle(path, { waitMs });
    try {
      database.exec('begin immediate; rollback');
    } finally {
      database.close();
    }
    return ok('counters', 'requests can be counted');
  } catch (error) {
    if (isBusy(error)) {
      return warning(
        'counters',
        `Another process has been writing to ${path} for a second, so servers cannot count requests.`,
        'End that process if it does not end by itself. Until then reads are uncounted, and keys cannot be revoked.',
      );
    }
    const failure = mapSqliteFailure(error);
    const message = `${path} cannot be written: servers count no request.`;
    return isRefusal(failure)
      ? refusalProblem('counters', failure, message)
      : problem('counters', message, 'Restore both files from a backup.');
  }
}
