import { actions, agentHits, detections, prompts, scores } from '@overheard/contract';
import type { Endpoint, EndpointName } from '@overheard/contract';
import { readActions } from './actions.ts';
import { readAgentHits } from './agent-hits.ts';
import { readDetections } from './detections.ts';
import type { Cursor } from './detections.ts';
import type { Reading } from './endpoint.ts';
import { readPrompts } from './prompts.ts';
import { parseQuery } from './query.ts';
import { readScores } from './scores.ts';

/** Some rows of an answer, and how to read the rest, if there is more. */
export interface Page {
  readonly rows: readonly unknown[];
  readonly next: ((reading: Reading) => Promise<Page>) | undefined;
}

/** A request's query, parsed: its values for the entity tag, and the reading of its rows. */
export interface PreparedQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly read: (reading: Reading) => Promise<Page>;
}

/** An endpoint of the contract with the query that answers it. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint<EndpointName>;
  /** Throws `invalid_parameter`. */
  readonly prepare: (search: string) => PreparedQuery;
}

/** The five endpoints as they are served. */
export const servedEndpoints: readonly ServedEndpoint[] = [
  {
    endpoint: scores,
    prepare: (search) => whole(parseQuery(search, scores.query), readScores),
  },
  {
    endpoint: prompts,
    prepare: (search) => whole(parseQuery(search, prompts.query), readPrompts),
  },
  {
    endpoint: actions,
    prepare: (search) => {
      const query = parseQuery(search, actions.query);
      return whole(query, (reading) => readActions(reading, query));
    },
  },
  {
    endpoint: agentHits,
    prepare: (search) => whole(parseQuery(search, agentHits.query), readAgentHits),
  },
  {
    endpoint: detections,
    prepare: (search) => {
      const query = parseQuery(search, detections.query);
      return {
        values: query,
        read: (reading) => detectionsPage(reading, query.prompt_id, undefined),
      };
    },
  },
];

function whole(
  values: PreparedQuery['values'],
  read: (reading: Reading) => Promise<readonly unknown[]>,
): PreparedQuery {
  return { values, read: async (reading) => ({ rows: await read(reading), next: undefined }) };
}

/** Reading and serialising a slice blocks the event loop: a few milliseconds, and no more. */
const laterSliceRuns = 50;

async function detectionsPage(
  reading: Reading,
  promptId: string | undefined,
  after: Cursor | undefined,
): Promise<Page> {
  const slice = after === undefined ? {} : { runsMax: laterSliceRuns };
  const { rows, next } = await readDetections(reading, { promptId, after, ...slice });
  // Without a prompt the first slice is all there is.
  if (promptId === undefined || next === undefined) return { rows, next: undefined };
  return { rows, next: (later) => detectionsPage(later, promptId, next) };
}
