import { expect, test } from 'vitest';
import { verified } from '../verify/verdict.ts';
import { ownEvidence, storedVerdict } from './hit.ts';

const proof = {
  reason: 'in_list',
  list: 'openai/gptbot',
  list_first_at: '2026-11-07T05:31:15.499Z',
  list_last_at: '2026-11-27T05:38:41.000Z',
  prefix: '21.213.171.176/28',
} as const;

test('evidence is read as it was given, also as an older version stored it', () => {
  const { list_first_at: _first, ...undated } = proof;
  for (const evidence of [proof, undated, { reason: 'no_address' }] as const) {
    expect(JSON.stringify(ownEvidence(storedVerdict(verified(evidence)).evidence))).toBe(
      JSON.stringify(evidence),
    );
  }
  expect(ownEvidence(JSON.stringify(proof))).toEqual(proof);
});
