import type { z } from 'zod';
import { actions } from './endpoints/actions.ts';
import { agentHits } from './endpoints/agent-hits.ts';
import { answers } from './endpoints/answers.ts';
import { changes } from './endpoints/changes.ts';
import { crawls } from './endpoints/crawls.ts';
import { detections } from './endpoints/detections.ts';
import { prompts } from './endpoints/prompts.ts';
import { report } from './endpoints/report.ts';
import { reports } from './endpoints/reports.ts';
import { scores } from './endpoints/scores.ts';
import { searches } from './endpoints/searches.ts';
import { shares } from './endpoints/shares.ts';
import { sources } from './endpoints/sources.ts';
import { stances } from './endpoints/stances.ts';
import { subjects } from './endpoints/subjects.ts';

/** Endpoints of stored rows. The bytes of these five never change. */
export const rowEndpoints = [scores, prompts, actions, agentHits, detections] as const;

/** Endpoints of figures, names and texts that are computed from the stored rows. */
const reportEndpoints = [
  subjects,
  shares,
  sources,
  answers,
  crawls,
  changes,
  report,
  searches,
  reports,
  stances,
] as const;

/** Every endpoint, in the order in which they are documented. */
export const endpoints = [...rowEndpoints, ...reportEndpoints] as const;

export type EndpointName = (typeof endpoints)[number]['name'];

export type ScoreRow = z.infer<typeof scores.row>;
export type PromptRow = z.infer<typeof prompts.row>;
export type ActionRow = z.infer<typeof actions.row>;
export type HitRow = z.infer<typeof agentHits.row>;
export type DetectionRow = z.infer<typeof detections.row>;
export type SubjectRow = z.infer<typeof subjects.row>;
export type ShareRow = z.infer<typeof shares.row>;
export type AnswerRow = z.infer<typeof answers.row>;
export type CrawlRow = z.infer<typeof crawls.row>;
export type ChangeRow = z.infer<typeof changes.row>;
export type ReportRow = z.infer<typeof report.row>;
export type PublishedRow = z.infer<typeof reports.row>;
export type SearchRow = z.infer<typeof searches.row>;
export type StanceRow = z.infer<typeof stances.row>;
export type SourceRow = z.infer<typeof sources.row>;
