import { getSources } from './get-sources.ts';
import type { Tool } from './tool.ts';
import { getActions } from './get-actions.ts';
import { getAgentHits } from './get-agent-hits.ts';
import { getDetections } from './get-detections.ts';
import { getReport } from './get-report.ts';
import { getReports } from './get-reports.ts';
import { getPrompts } from './get-prompts.ts';
import { getAnswers } from './get-answers.ts';
import { getChanges } from './get-changes.ts';
import { getCrawls } from './get-crawls.ts';
import { getSearches } from './get-searches.ts';
import { getScores } from './get-scores.ts';

import { getShares } from './get-shares.ts';
import { getStances } from './get-stances.ts';
import { getSubjects } from './get-subjects.ts';

/** The tools, one for each endpoint, in the contract's order. */
export const tools: readonly Tool[] = [
  getScores,
  getPrompts,
  getActions,
  getAgentHits,
  getDetections,
  getSubjects,
  getShares,
  getSources,
  getAnswers,
  getCrawls,
  getChanges,
  getReport,
  getSearches,
  getReports,
  getStances,
];
