import {
  actions,
  agentHits,
  answers,
  changes,
  crawls,
  detections,
  prompts,
  report,
  reports,
  scores,
  searches,
  shares,
  sources,
  stances,
  subjects,
} from '@overheard/contract';
import type { Endpoint, EndpointName } from '@overheard/contract';
import { prepareActions } from './endpoints/actions.ts';
import { prepareAgentHits } from './endpoints/agent-hits.ts';
import { prepareAnswers } from './endpoints/answers.ts';
import { prepareChanges } from './endpoints/changes.ts';
import { prepareCrawls } from './endpoints/crawls.ts';
import { prepareDetections } from './endpoints/detections.ts';
import type { PreparedQuery } from './request/prepared-query.ts';
import { preparePrompts } from './endpoints/prompts.ts';
import { prepareReport } from './endpoints/report.ts';
import { prepareReports } from './endpoints/reports.ts';
import { prepareScores } from './endpoints/scores.ts';
import { prepareSearches } from './endpoints/searches.ts';
import { prepareShares } from './endpoints/shares.ts';
import { prepareSources } from './endpoints/sources.ts';
import { prepareStances } from './endpoints/stances.ts';
import { prepareSubjects } from './endpoints/subjects.ts';

/** An endpoint of the contract with its query. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint<EndpointName>;
  /** `today` is the UTC day of the request. Throws `invalid_parameter`. */
  readonly prepare: (search: string, today: string) => PreparedQuery;
  /** Whether its rows are a report over a period, which a thread reads. */
  readonly isReport?: true;
}

/** The endpoints as they are served. */
export const servedEndpoints: readonly ServedEndpoint[] = [
  { endpoint: scores, prepare: prepareScores },
  { endpoint: prompts, prepare: preparePrompts },
  { endpoint: actions, prepare: prepareActions },
  { endpoint: agentHits, prepare: prepareAgentHits },
  { endpoint: detections, prepare: prepareDetections },
  { endpoint: subjects, prepare: prepareSubjects },
  { endpoint: shares, prepare: prepareShares, isReport: true },
  { endpoint: sources, prepare: prepareSources, isReport: true },
  { endpoint: answers, prepare: prepareAnswers, isReport: true },
  { endpoint: crawls, prepare: prepareCrawls, isReport: true },
  { endpoint: changes, prepare: prepareChanges },
  { endpoint: report, prepare: prepareReport, isReport: true },
  { endpoint: searches, prepare: prepareSearches, isReport: true },
  { endpoint: reports, prepare: prepareReports, isReport: true },
  { endpoint: stances, prepare: prepareStances, isReport: true },
];
