import {
  actions,
  agentHits,
  answers,
  crawls,
  detections,
  prompts,
  scores,
  shares,
  sources,
  subjects,
} from '@overheard/contract';
import type { Endpoint, EndpointName } from '@overheard/contract';
import { readCrawls } from '../../reports/crawls.ts';
import { toCrawlQuery, toShareQuery, toSourceQuery } from '../../reports/report-queries.ts';
import { readShares } from '../../reports/shares/shares.ts';
import { readSources } from '../../reports/sources.ts';
import { readSubjectRows } from '../../reports/subjects.ts';
import type { DataTables } from '../../storage/schema.ts';
import { prepareAnswers } from './answers.ts';
import { orderedActions } from './actions.ts';
import { readAgentHits } from './agent-hits.ts';
import { readDetections, sliceDetections } from './detections.ts';
import type { PreparedQuery, WholeRows } from './prepared-query.ts';
import type { ReadRequest } from './read-request.ts';
import { readOrdered, sliceOrdered } from './ordered-rows.ts';
import type { OrderedRows } from './ordered-rows.ts';
import { readPrompts } from './prompts.ts';
import { periodOf, refuseReversed } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { orderedScores } from './scores.ts';

/** An endpoint of the contract with its query. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint<EndpointName>;
  /** `today` is the UTC day of the request. Throws `invalid_parameter`. */
  readonly prepare: (search: string, today: string) => PreparedQuery;
}

/** The endpoints as they are served. */
export const servedEndpoints: readonly ServedEndpoint[] = [
  {
    endpoint: scores,
    prepare: (search) => ordered(orderedScores, parseQuery(search, scores.query)),
  },
  {
    endpoint: prompts,
    prepare: (search) => capped(parseQuery(search, prompts.query), readPrompts),
  },
  {
    endpoint: actions,
    prepare: (search) => ordered(orderedActions, parseQuery(search, actions.query)),
  },
  {
    endpoint: agentHits,
    prepare: (search) => capped(parseQuery(search, agentHits.query), readAgentHits),
  },
  {
    endpoint: detections,
    prepare: (search) => {
      const query = parseQuery(search, detections.query);
      return {
        values: query,
        readWhole: (request) => wholeOf(readDetections(request, query.prompt_id)),
        slices: (request) => sliceDetections(request, query.prompt_id),
      };
    },
  },
  {
    endpoint: subjects,
    prepare: (search) => capped(parseQuery(search, subjects.query), readSubjectRows),
  },
  {
    endpoint: shares,
    prepare: (search, today) => {
      const query = parseQuery(search, shares.query);
      const asked = toShareQuery(query, periodOf(query, today));
      return capped(query, (request) => readShares(request, asked));
    },
  },
  {
    endpoint: sources,
    prepare: (search, today) => {
      const query = parseQuery(search, sources.query);
      const asked = toSourceQuery(query, periodOf(query, today));
      return capped(query, (request) => readSources(request, asked));
    },
  },
  { endpoint: answers, prepare: prepareAnswers },
  {
    endpoint: crawls,
    prepare: (search) => {
      const query = parseQuery(search, crawls.query);
      refuseReversed(query);
      return capped(query, (request) => readCrawls(request, toCrawlQuery(query)));
    },
  },
];

function capped(
  values: PreparedQuery['values'],
  read: (request: ReadRequest) => Promise<readonly unknown[]>,
): PreparedQuery {
  return {
    values,
    readWhole: (request) => wholeOf(read(request)),
    async *slices(request) {
      yield await read(request);
    },
  };
}

function ordered<
  Table extends keyof DataTables,
  Row extends object,
  Query extends PreparedQuery['values'],
>(rows: OrderedRows<Table, Row, Query>, query: Query): PreparedQuery {
  return {
    values: query,
    readWhole: (request) => wholeOf(readOrdered(rows, request, query)),
    slices: (request) => sliceOrdered(rows, request, query),
  };
}

async function wholeOf(
  reading: Promise<readonly unknown[] | undefined>,
): Promise<WholeRows | undefined> {
  const rows = await reading;
  return rows && { rows };
}
