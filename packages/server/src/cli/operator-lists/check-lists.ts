import { hasOperatorLists, lastCheckMs } from '../../reports/operator-lists.ts';
import { ok, warning } from '../../storage/finding.ts';
import type { Finding } from '../../storage/finding.ts';
import type { Store } from '../../storage/store.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { plural } from '../../values/plural.ts';
import { withStore } from '../define/with-store.ts';

/** Days after which lists are too old, because today's hits cannot be verified by older lists. */
const daysMax = 2;
const advice =
  'overheard ranges update, daily; `serve` and `hits ingest --follow` do it by themselves';

/** Reports the age of the operators' lists, if any log has been read here. */
export async function checkLists(
  database: string,
  { clock }: { clock: () => number },
): Promise<readonly Finding[]> {
  return withStore(database, (store) => findAge(store, clock()));
}

async function findAge({ reader }: Store, nowMs: number): Promise<readonly Finding[]> {
  const judges = await reader
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .limit(1)
    .execute();
  if (judges.length === 0) return [];
  if (!(await hasOperatorLists(reader))) {
    return [
      warning(
        'lists',
        'No operator address lists are installed, so no crawler is verified.',
        advice,
      ),
    ];
  }
  const checkedMs = await lastCheckMs(reader);
  if (checkedMs === undefined) return [ok('lists', "The operators' lists were imported by hand.")];
  const days = Math.max(0, Math.floor((nowMs - checkedMs) / dayMs));
  const message = `The operators' lists were asked for ${days === 0 ? 'today' : `${plural(days, 'day')} ago`}.`;
  return [days > daysMax ? warning('lists', message, advice) : ok('lists', message)];
}
