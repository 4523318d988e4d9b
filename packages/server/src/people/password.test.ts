import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashPassword, parsePassword, verifyPassword } from './password.ts';
import { createPasswordQueue } from './password-queue.ts';
import { createGuessLimit } from './guess-limit.ts';

test('a password is stored as argon2id in the PHC form, salted, and only it opens', async () => {
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword('correct horse', one)).toBe(true);
  expect(await verifyPassword('correct horsf', one)).toBe(false);
  expect(await verifyPassword('correct horse', null)).toBe(false);
  expect(await verifyPassword('correct horse', 'damaged')).toBe(false);
});

test('a password is accepted in both Unicode spellings of its letters', async () => {
  const stored = await hashPassword(parsePassword('Ångström ﬁle 42') ?? '');
  expect(await verifyPassword('A\u030angstro\u0308m file 42', stored)).toBe(true);
});

test('a password has 12 to 256 characters and no other rule', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const { length } = Array.from(text.normalize('NFKC'));
      expect(parsePassword(text) !== undefined).toBe(length >= 12 && length <= 256);
    }),
  );
  expect(parsePassword('twelve chars\ud800')).toBeUndefined();
});

/** Work that lasts until it is let go. */
function slowWork() {
  const started: string[] = [];
  const ends: Array<() => void> = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => {
      ends.push(() => resolve(name));
    });
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const finishOne = async () => {
    ends.shift()?.();
    await settle();
  };
  return { started, work, settle, finishOne };
}

test('passwords are checked two at a time, 20 wait, and the next is turned away', async () => {
  const { started, work, settle, finishOne } = slowWork();
  const queue = createPasswordQueue();
  const all = Array.from({ length: 23 }, (_, index) =>
    queue({ network: `n${index}`, isKnown: false }, work(String(index))),
  );
  await settle();
  expect(started).toEqual(['0', '1']);
  expect(await all[22]).toBeUndefined();
  for (let left = 22; left > 0; left -= 1) await finishOne();
  expect(await Promise.all(all.slice(0, 22))).toEqual(
    Array.from({ length: 22 }, (_, index) => String(index)),
  );
});

test('one network holds two places of the queue, however many its requests', async () => {
  const { work, settle, finishOne } = slowWork();
  const queue = createPasswordQueue();
  const flood = Array.from({ length: 5 }, () => queue({ network: 'n', isKnown: false }, work('n')));
  expect(await Promise.all(flood.slice(2))).toEqual([undefined, undefined, undefined]);
  await settle();
  await finishOne();
  const later = queue({ network: 'n', isKnown: false }, work('later'));
  await finishOne();
  await finishOne();
  expect(await later).toBe('later');
});

test('a browser that signed in before has its own places in the queue, ahead of strangers', async () => {
  const { started, work, settle, finishOne } = slowWork();
  const queue = createPasswordQueue();
  for (let index = 0; index < 22; index += 1) {
    void queue({ network: `n${index}`, isKnown: false }, work('stranger'));
  }
  void queue({ network: 'n1', isKnown: true }, work('known'));
  await settle();
  await finishOne();
  expect(started).toEqual(['stranger', 'stranger', 'known']);
});

test('wrong guesses of an account wait twice as long each time, up to 15 minutes', () => {
  let nowMs = 0;
  const limit = createGuessLimit(() => nowMs);
  const waits: number[] = [];
  for (let guess = 0; guess < 20; guess += 1) {
    const seconds = limit.note({ network: `n${guess}`, account: 'ada' }) ?? 0;
    waits.push(seconds);
    if (seconds === 0) continue;
    nowMs += seconds * 1000;
    expect(limit.note({ network: `m${guess}`, account: 'ada' })).toBeUndefined();
  }
  expect(waits.slice(0, 9)).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8]);
  expect(waits.at(-1)).toBe(900);
  limit.forget('ada');
  expect(limit.note({ network: 'n', account: 'ada' })).toBeUndefined();
});

test('one network guesses at most 20 times a minute, whatever the accounts', () => {
  let nowMs = 0;
  const limit = createGuessLimit(() => nowMs);
  const notes = Array.from({ length: 21 }, (_, index) =>
    limit.note({ network: 'n', account: `a${index}` }),
  );
  expect(notes.filter((seconds) => seconds === undefined)).toHaveLength(20);
  expect(notes[20]).toBe(60);
  expect(limit.note({ network: 'other', account: 'a' })).toBeUndefined();
  nowMs += 60_000;
  expect(limit.note({ network: 'n', account: 'b' })).toBeUndefined();
});
