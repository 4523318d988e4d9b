import { expect, test } from 'vitest';
import { createFailureLimit } from './failure-limit.ts';

const address = '203.0.113.7';

function limitOfTwo() {
  const time = { nowMs: Date.parse('2026-11-20T12:00:00.000Z') };
  const note = createFailureLimit({ failuresMax: 2, clock: () => time.nowMs });
  return { time, note };
}

test('failures past the limit wait for the end of their minute, and count again after it', () => {
  const { time, note } = limitOfTwo();
  expect([note(address), note(address), note(address)]).toEqual([undefined, undefined, 60]);
  time.nowMs += 59_001;
  expect(note(address)).toBe(1);
  time.nowMs += 999;
  expect(note(address)).toBeUndefined();
});

test('a clock that is set back begins a new minute: nobody waits for hours', () => {
  const { time, note } = limitOfTwo();
  expect([note(address), note(address), note(address)].at(-1)).toBe(60);
  time.nowMs -= 3 * 3_600_000;
  expect(note(address)).toBeUndefined();
  expect([note(address), note(address)].at(-1)).toBe(60);
});

test('a flood of addresses makes the oldest forgotten, and never fills the memory', () => {
  const note = createFailureLimit({ failuresMax: 1, addressesMax: 2, clock: () => 0 });
  expect([note(address), note(address)]).toEqual([undefined, 60]);
  for (const other of ['203.0.113.8', '203.0.113.9']) note(other);
  expect(note(address)).toBeUndefined();
});
