import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { newToken } from '../../people/tokens.ts';
import { newKey } from '../../access/keys.ts';
import { parseLines } from '../../../test/servers/api.ts';
import { createLog } from './log.ts';

/** A log and what it has written. */
function logged() {
  const chunks: string[] = [];
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const log = createLog(
    {
      stdin: Readable.from([]),
      stdout,
      stderr: stdout,
      isTerminal: false,
      asTyped: (words) => words,
      clock: () => 0,
      fetch: globalThis.fetch,
      signal: new AbortController().signal,
    },
    'info',
  );
  return { log, text: () => chunks.join('') };
}

test('no key reaches the log, whatever it was written with', () => {
  const key = newKey();
  const { log, text } = logged();
  const cause = new Error(`relation "${key}" does not exist`);
  log.error({ err: new Error(`cannot read ${key}`, { cause }) }, `it said ${key}`);
  log.info({ anything: { deep: [key] } }, 'a line');
  expect(parseLines(text())).toHaveLength(2);
  expect(text()).not.toContain(key.slice(10, 26));
  expect(text()).toContain('cannot read overheard_[redacted]');
  expect(text()).toContain('relation \\"overheard_[redacted]\\" does not exist');
});

test.for(['overheard_at_', 'overheard_rt_'])(
  'no token %s of an assistant reaches the log',
  (prefix) => {
    const { log, text } = logged();
    const token = `${prefix}a_b-${newToken()}`;
    log.error({ err: new Error(`cannot read ${token}`) }, `it said ${token}`);
    expect(text()).toContain('cannot read overheard_[redacted]');
    expect(text()).not.toContain(token.slice(-8));
  },
);

test('an error is logged without what its driver attached to it', () => {
  const { log, text } = logged();
  const client = { secretKey: 4711, connectionParameters: { user: 'service' } };
  log.warn({ err: Object.assign(new Error('terminated'), { code: '57P01', client }) }, 'lost');
  log.warn({ err: 'no error at all' }, 'lost');
  const [line, other] = parseLines(text());
  expect(line).toMatchObject({ err: { type: 'Error', message: 'terminated', code: '57P01' } });
  expect(line?.['err']).not.toHaveProperty('client');
  expect(text()).not.toContain('4711');
  expect(other).toMatchObject({ err: 'no error at all' });
});

test('names of databases and folders stay readable', () => {
  const { log, text } = logged();
  log.info({ path: '/var/lib/overheard/overheard.db' }, 'database "overheard_production" is gone');
  expect(text()).toContain('/var/lib/overheard/overheard.db');
  expect(text()).toContain('overheard_production');
});
