import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function drawing({ isTerminal }: { isTerminal: boolean }) {
  let drawn = '';
  let nowMs = 1000;
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      drawn += chunk.toString();
      done();
    },
  });
  const progress = createProgress({ stderr, isTerminal, clock: () => nowMs });
  return { progress, drawn: () => drawn, setClock: (ms: number) => (nowMs = ms) };
}

test('a line is drawn ten times a second, over itself, also after the clock was set back', () => {
  const { progress, drawn, setClock } = drawing({ isTerminal: true });
  progress.update(() => 'a', 0.129);
  setClock(1099);
  progress.update(() => 'b', 0.2);
  setClock(1100);
  progress.update(() => 'c', 7);
  setClock(5);
  progress.update(() => 'd');
  progress.clear();
  expect(drawn()).toBe('\r\u001b[Ka (12 %)\r\u001b[Kc (100 %)\r\u001b[Kd\r\u001b[K');
});

test('nothing is drawn where nobody watches, nor is what was not drawn wiped', () => {
  const { progress, drawn } = drawing({ isTerminal: false });
  progress.update(() => 'a');
  progress.clear();
  expect(drawn()).toBe('');
});
