import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { newPerson } from '../../../../test/browsers/people.ts';
import { nowMs } from '../../../../test/servers/api.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { greet } from './greet.ts';

eachStore('the first lines of a server', (open) => {
  test.for([
    ['http://0.0.0.0:8484', false, false],
    ['http://0.0.0.0:8484', true, true],
    ['http://[::1]:8484', false, true],
    ['http://127.0.0.1:8484', false, true],
  ] as const)(
    'on %s with a terminal (%s), the set-up link is shown: %s',
    async ([address, isTerminal, isShown]) => {
      const { store } = await open();
      const printed = await greeting(store, { address, isTerminal });
      expect(printed.includes('https://overheard.example/setup/')).toBe(isShown);
      expect(printed.includes('overheard user link')).toBe(!isTerminal);
    },
  );

  test('once there is a user, no link is shown, and a first workspace is made in the browser', async () => {
    const { store } = await open();
    await newPerson(store, { isOperator: true });
    const printed = await greeting(store, { address: 'http://127.0.0.1:8484', isTerminal: true });
    expect(printed).not.toContain('/setup/');
    expect(printed).toContain('https://overheard.example/workspaces/new');
  });
});

async function greeting(
  store: Parameters<typeof greet>[1],
  { address, isTerminal }: { address: string; isTerminal: boolean },
): Promise<string> {
  const printed: string[] = [];
  const stderr = new Writable({
    write: (chunk, _, done) => {
      printed.push(String(chunk));
      done();
    },
  });
  const io = { stderr, isTerminal, asTyped: (words: string) => words, clock: () => nowMs };
  await greet(io, store, 'https://overheard.example', address);
  return printed.join('');
}
