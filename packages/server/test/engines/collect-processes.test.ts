import { expect, test } from 'vitest';
import { collectUnderChaos } from './collect-chaos.ts';
import { eachDatabase } from '../stores/stores.ts';

const prompts = 120;
const affordable = 100;

eachDatabase('collecting in processes that are killed, from an engine with faults', (create) => {
  test(
    'killed processes bill no reading twice, pass no cap, end each reading, and keep the same answers as without faults',
    { tags: ['once'] },
    async () => {
      const outcome = await collectUnderChaos(await create(), {
        prompts,
        affordable,
        workersMax: 4,
      });
      const { done = 0, unknown = 0, planned = 0, ...readings } = outcome.readings;
      expect(readings).toEqual({ sent: 0, failed: 0, missed: 0, skipped: 0 });
      expect(done + unknown).toBe(affordable);
      expect(planned).toBe(prompts - affordable);
      expect(outcome).toMatchObject({
        billedMost: 1,
        spent: affordable,
        held: 0,
        spentAndHeldMost: affordable,
        runs: done,
        different: 0,
      });
      expect(outcome.kills).toBeGreaterThan(2);
    },
  );
});
