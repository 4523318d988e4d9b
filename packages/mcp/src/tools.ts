import type { Tool } from './tool.ts';
import { getActions } from './tools/get-actions.ts';
import { getAgentHits } from './tools/get-agent-hits.ts';
import { getDetections } from './tools/get-detections.ts';
import { getPrompts } from './tools/get-prompts.ts';
import { getScores } from './tools/get-scores.ts';

/** The tools, one for each endpoint, in the contract's order. */
export const tools: readonly Tool[] = [
  getScores,
  getPrompts,
  getActions,
  getAgentHits,
  getDetections,
];
