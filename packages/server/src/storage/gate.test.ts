import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('a gate admits at most its number of callers, and the others in their order', async () => {
  const gate = createGate({ max: 2, maxOfOwner: 2 });
  const leaveFirst = await gate.enter('a');
  await gate.enter('a');
  const entered: string[] = [];
  const third = gate.enter('a').then((leave) => {
    entered.push('third');
    return leave;
  });
  const fourth = gate.enter('a').then(() => entered.push('fourth'));
  await Promise.resolve();
  expect(entered).toEqual([]);

  leaveFirst();
  // Releasing a place twice frees only one.
  leaveFirst();
  const leaveThird = await third;
  expect(entered).toEqual(['third']);
  leaveThird();
  await fourth;
  expect(entered).toEqual(['third', 'fourth']);
});

test('a caller that waits too long is refused, and takes no place afterwards', async () => {
  const gate = createGate({ max: 1, maxOfOwner: 1, waitMs: 10 });
  const leave = await gate.enter('a');
  await expect(gate.enter('a')).rejects.toThrow('long_reads_too_many');
  leave();
  await expect(gate.enter('a')).resolves.toBeInstanceOf(Function);
});

test('an owner that has its share keeps nobody else out', async () => {
  const gate = createGate({ max: 3, maxOfOwner: 2, waitMs: 10 });
  const leaveFirst = await gate.enter('greedy');
  await gate.enter('greedy');
  const waiting = gate.enter('greedy');
  await expect(gate.enter('modest')).resolves.toBeInstanceOf(Function);
  leaveFirst();
  await expect(waiting).resolves.toBeInstanceOf(Function);
  await expect(gate.enter('third')).rejects.toThrow('long_reads_too_many');
});

test('owners take turns: one that waits with many keeps another waiting for one of its own at most', async () => {
  const gate = createGate({ max: 1, maxOfOwner: 1 });
  const leave = await gate.enter('greedy');
  const entered: string[] = [];
  const enter = async (owner: string) => {
    const leaveNext = await gate.enter(owner);
    entered.push(owner);
    leaveNext();
  };
  const all = ['greedy', 'greedy', 'greedy', 'modest', 'third', 'third'].map(enter);
  leave();
  await Promise.all(all);
  expect(entered).toEqual(['greedy', 'modest', 'third', 'greedy', 'third', 'greedy']);
});

test('an owner with its share of waiting callers is refused at once, and another one is not', async () => {
  const gate = createGate({ max: 1, maxOfOwner: 1, waitingMaxOfOwner: 2 });
  const leave = await gate.enter('greedy');
  const waiting = [gate.enter('greedy'), gate.enter('greedy')];
  await expect(gate.enter('greedy')).rejects.toThrow('long_reads_too_many');
  const modest = gate.enter('modest');
  leave();
  for (const each of [...waiting, modest]) void each.then((leaveNext) => leaveNext());
  await expect(modest).resolves.toBeInstanceOf(Function);
  await Promise.all(waiting);
  await expect(gate.enter('greedy')).resolves.toBeInstanceOf(Function);
});
