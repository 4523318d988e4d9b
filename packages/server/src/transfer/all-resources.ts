import type { Resource } from './resource.ts';
import { actions } from './resources/actions.ts';
import { detections } from './resources/detections.ts';
import { hits } from './resources/hits.ts';
import { prompts } from './resources/prompts.ts';
import { scores } from './resources/scores.ts';

/** The kinds of rows that are imported and exported, in the order in which the help lists them. */
export const resources: readonly Resource[] = [prompts, actions, scores, detections, hits];
