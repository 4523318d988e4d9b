import { expect, test } from 'vitest';
import { detectionRows, idOf } from '../../../mcp/test/rows.ts';
import { whoIsCited } from './get-detections.ts';

const nothing = new Set<string>();

test('the summary counts runs, not rows: those of the brand, and of competitors instead of it', () => {
  expect(whoIsCited(detectionRows(60), nothing)).toEqual([
    'The brand is cited in 20 of 60 runs (33.3 %), counting prompts that name it; competitors instead of it in 40 of 60 runs (66.7 %): chatgpt 20, perplexity 20.',
    `Competitors by runs that cite them: ${idOf('b', 1)} 60.`,
  ]);
});

test.each(['subject_type', 'cited'])(
  'a call with %s says nothing about who was missing from a run',
  (argument) => {
    const rows = detectionRows(60).filter((row) => row.subject_type === 'competitor');
    expect(whoIsCited(rows, new Set([argument]))).toEqual([
      `Competitors by runs that cite them: ${idOf('b', 1)} 60.`,
    ]);
  },
);
