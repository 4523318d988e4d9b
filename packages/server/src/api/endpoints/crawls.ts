import { crawls } from '@overheard/contract';
import { readCrawls } from '../../reports/crawls.ts';
import { toCrawlQuery } from '../../reports/report-queries.ts';
import { readKnownNames } from '../../reports/known-names.ts';
import { refuseReversed } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

/** Prepares the counts of hits. Without days, of all stored hits. */
export function prepareCrawls(search: string): PreparedQuery {
  const values = parseQuery(search, crawls.query);
  refuseReversed(values);
  const query = toCrawlQuery(values);
  return prepareCapped(values, async (request) => {
    const botName = query.botName && (await findBot(request, query.botName));
    return readCrawls(request, { ...query, botName });
  });
}

/** The name of a bot as it is stored, from the name in any case. */
async function findBot(request: ReadRequest, name: string): Promise<string> {
  const names = await readKnownNames(request, 'bot_name');
  const isMeant = (each: string) => each.toLowerCase() === name.toLowerCase();
  return names.has(name) ? name : ([...names].find(isMeant) ?? name);
}
