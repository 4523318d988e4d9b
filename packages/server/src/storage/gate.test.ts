import { expect, test } from 'vitest';
import { UnavailableError } from '../problems.ts';
import { createGate } from './gate.ts';

test('no more than the given number are inside, and the others come in their order', async () => {
  const gate = createGate({ max: 2 });
  const leaveFirst = await gate.enter();
  await gate.enter();
  const entered: string[] = [];
  const third = gate.enter().then((leave) => {
    entered.push('third');
    return leave;
  });
  const fourth = gate.enter().then(() => entered.push('fourth'));
  await Promise.resolve();
  expect(entered).toEqual([]);

  leaveFirst();
  // Leaving twice makes no second place.
  leaveFirst();
  const leaveThird = await third;
  expect(entered).toEqual(['third']);
  leaveThird();
  await fourth;
  expect(entered).toEqual(['third', 'fourth']);
});

test('who waits too long is refused, and takes no place afterwards', async () => {
  const gate = createGate({ max: 1, waitMs: 10 });
  const leave = await gate.enter();
  await expect(gate.enter()).rejects.toBeInstanceOf(UnavailableError);
  leave();
  await expect(gate.enter()).resolves.toBeInstanceOf(Function);
});
