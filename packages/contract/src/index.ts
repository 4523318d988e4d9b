export { endpoints, rowEndpoints } from './all-endpoints.ts';
export type {
  ActionRow,
  AnswerRow,
  ChangeRow,
  CrawlRow,
  DetectionRow,
  EndpointName,
  HitRow,
  PromptRow,
  PublishedRow,
  ReportRow,
  ScoreRow,
  SearchRow,
  StanceRow,
  ShareRow,
  SourceRow,
  SubjectRow,
} from './all-endpoints.ts';
export type { Endpoint } from './endpoint.ts';
export { actions, actionPriority, actionStatus } from './endpoints/actions.ts';
export { agentHits, botCategory, verification } from './endpoints/agent-hits.ts';
export type { BotCategory } from './endpoints/agent-hits.ts';
export { answers, outcome } from './endpoints/answers.ts';
export type { Outcome } from './endpoints/answers.ts';
export { changes, changeKind } from './endpoints/changes.ts';
export type { ChangeKind } from './endpoints/changes.ts';
export { crawls } from './endpoints/crawls.ts';
export { detections, sentiment, subjectType } from './endpoints/detections.ts';
export type { SubjectType } from './endpoints/detections.ts';
export { prompts } from './endpoints/prompts.ts';
export { report, reportRow } from './endpoints/report.ts';
export { publishedRow, reports } from './endpoints/reports.ts';
export { scores } from './endpoints/scores.ts';
export { searches } from './endpoints/searches.ts';
export { isAgainstOne, shares } from './endpoints/shares.ts';
export type { ChangeVerdict, Searched, ShareGrouping } from './endpoints/shares.ts';
export { sourceKinds, sources } from './endpoints/sources.ts';
export { stance, stances } from './endpoints/stances.ts';
export type { Stance, StanceGrouping } from './endpoints/stances.ts';
export { subjects } from './endpoints/subjects.ts';
export { engineSlugPattern, uuidPattern } from './fields.ts';
export { limits, quota, rankSince } from './limits.ts';
export { isProblemCode, problemCodes, problemPath, problems } from './problems.ts';
export type { ProblemCode, ProblemKind } from './problems.ts';
export {
  base62Digits,
  isWellFormedKey,
  keyChecksum,
  keyPattern,
  keyPrefix,
  keyRandomLength,
} from './key.ts';
export { nearest } from './nearest.ts';
export { openApiDocument } from './openapi/open-api-document.ts';
export type { Json, JsonObject } from './openapi/json.ts';
export { appOf, isLocalModel, surfaceOf } from './parameters.ts';
export type { Surface } from './parameters.ts';
