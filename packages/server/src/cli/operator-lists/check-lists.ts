import {
  addressWords,
  clientAddressLines,
  readAddressVerdicts,
} from '../../reports/hits/address-verdicts.ts';
import { hasOperatorLists, lastCheckMs, listsDaysMax } from '../../reports/operator-lists.ts';
import { ok, warning } from '../../storage/finding.ts';
import type { Finding } from '../../storage/finding.ts';
import type { Store } from '../../storage/store.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import { plural } from '../../values/plural.ts';
import { withStore } from '../define/with-store.ts';

const advice =
  'overheard ranges update, daily; `serve` and `hits ingest --follow` do it by themselves';

/** Reports the age of the operators' lists, if any log has been read here, and what the lists refute. */
export async function checkLists(
  database: string,
  { clock }: { clock: () => number },
): Promise<readonly Finding[]> {
  return withStore(database, async (store) => [
    ...(await findAge(store, clock())),
    ...(await findRefuted(store, clock())),
  ]);
}

/** Days of hits that are looked at. */
const hitDays = 30;

/** Reports the workspaces whose logs have mostly addresses that refute their bots. */
async function findRefuted({ reader: db }: Store, nowMs: number): Promise<readonly Finding[]> {
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .orderBy('slug')
    .execute();
  const period = { from: utcDay(nowMs - hitDays * dayMs), to: utcDay(nowMs + dayMs) };
  const findings: Finding[] = [];
  for (const { id: workspaceId, slug } of workspaces) {
    const words = addressWords(await readAddressVerdicts({ db, workspaceId }, period));
    if (words === undefined) continue;
    const help = words.isProxy
      ? `Log the client's address. ${clientAddressLines.join(' ')}`
      : `overheard crawls --workspace ${slug}`;
    findings.push(warning('addresses', `${words.sentence} (workspace ${slug})`, help));
  }
  return findings;
}

async function findAge({ reader }: Store, nowMs: number): Promise<readonly Finding[]> {
  const judges = await reader
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .limit(1)
    .execute();
  if (judges.length === 0) return [];
  if (!(await hasOperatorLists(reader))) {
    const message = 'No operator address lists are installed, so no crawler is verified.';
    return [warning('lists', message, advice)];
  }
  const checkedMs = await lastCheckMs(reader);
  if (checkedMs === undefined) return [ok('lists', "The operators' lists were imported by hand.")];
  const days = Math.max(0, Math.floor((nowMs - checkedMs) / dayMs));
  const message = `The operators' lists were asked for ${days === 0 ? 'today' : `${plural(days, 'day')} ago`}.`;
  return [days > listsDaysMax ? warning('lists', message, advice) : ok('lists', message)];
}
