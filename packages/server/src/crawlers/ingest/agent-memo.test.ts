import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bots } from '../bots/catalogue.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { viewOf } from '../written-line.ts';
import { createAgentMemo } from './agent-memo.ts';

const recognise = createRecogniser(bots);
const tokens = bots.map(({ token }) => token);

/** User agents that differ little, of which many are as long as each other. */
const userAgent = fc
  .tuple(
    fc.constantFrom('', 'Mozilla/5.0 (compatible; ', 'é', 'x'.repeat(1020)),
    fc.constantFrom(...tokens, 'curl', 'Chrome'),
    fc.constantFrom('', '/', ' '),
    fc.string({ minLength: 0, maxLength: 3, unit: fc.constantFrom('0', '1', '2') }),
  )
  .map((parts) => parts.join(''));

test('what is remembered is what would be recognised', () => {
  const memo = createAgentMemo(recognise);
  fc.assert(
    fc.property(fc.array(userAgent, { minLength: 1, maxLength: 50 }), (agents) => {
      for (const agent of agents)
        expect(memo.find(agent)).toMatchObject({ text: agent, bot: recognise(agent) });
    }),
    { numRuns: 300 },
  );
});

test('a user agent in the bytes of a line is the same as by itself', () => {
  const memo = createAgentMemo(recognise);
  fc.assert(
    fc.property(userAgent, fc.nat(20), fc.nat(20), (agent, before, after) => {
      const bytes = Buffer.from(`${'-'.repeat(before)}${agent}${'"'.repeat(after)}`);
      const found = memo.findIn(viewOf(bytes), before, bytes.length - after);
      expect(found).toMatchObject({ text: agent, bot: recognise(agent) });
      bytes.fill(0);
      expect(memo.find(agent)).toEqual(found);
    }),
  );
});

test('a user agent is recognised once, however many lines have it', () => {
  let asked = 0;
  const memo = createAgentMemo((agent) => {
    asked++;
    return recognise(agent);
  });
  for (let line = 0; line < 3; line++) memo.find('GPTBot/1.3');
  expect(asked).toBe(1);
});

test('more user agents than there is room for are told apart still', () => {
  const memo = createAgentMemo(recognise);
  for (let version = 0; version < 20_000; version++) {
    const [bot, person] = [`GPTBot/${version}`, `Chrome/${version}`];
    expect(memo.find(bot).bot?.token).toBe('GPTBot');
    expect(memo.find(person).bot).toBeUndefined();
  }
});

test('what is remembered of a user agent keeps no more in memory than itself', () => {
  const memo = createAgentMemo(recognise);
  const kept = keptBytes();
  for (let version = 0; version < 1000; version++) {
    memo.find(`Chrome/${version}`);
    memo.find(`Chrome/${version}`.padEnd(60_000, '.'));
    // Other lines are read meanwhile, which take small buffers out of the same pool.
    for (let line = 0; line < 100; line++) Buffer.from('x'.repeat(1000));
  }
  expect(memo.find('Chrome/0').bot).toBeUndefined();
  expect(keptBytes() - kept).toBeLessThan(10e6);
});

test.each([
  ['GPTBot/1abcdefgh', 'GPTBmt/1abcdeggh'],
  ['a GPTBot/', 'a GPTBov.'],
])('%s is not taken for %s, which has the same hash', (bot, person) => {
  const memo = createAgentMemo(recognise);
  expect(memo.find(bot).bot?.token).toBe('GPTBot');
  expect(memo.find(person).bot).toBeUndefined();
});

test('a user agent is not taken for its own beginning, which has the same hash', () => {
  const memo = createAgentMemo(recognise);
  expect(memo.find('Mozilla/5.0 (X11').bot).toBeUndefined();
  expect(memo.find('Mozilla/5.0 (X111 GPTBot/aaa+(sF').bot?.token).toBe('GPTBot');
});

test('other bots are recognised from then on', () => {
  const memo = createAgentMemo(() => undefined);
  expect(memo.find('GPTBot/1.3').bot).toBeUndefined();
  memo.takeUp(recognise);
  expect(memo.find('GPTBot/1.3').bot?.token).toBe('GPTBot');
});

/** What buffers hold, once what nobody has any more is gone. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().arrayBuffers;
}
