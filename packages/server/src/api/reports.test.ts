import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { Refusal } from '../refusals.ts';
import { servedEndpoints } from './served-endpoints.ts';
import { addSubject, removeSubject } from '../workspaces/write-subject.ts';

eachStore({ title: 'the subjects of a workspace', onBoth: false }, (open) => {
  test('the subjects are listed with names and words, the brand first, archived ones without their words', async () => {
    const { store } = await open();
    const api = await startApi(store);
    const { workspaceId, key, slug } = await newTenant(store);
    const other = await newTenant(store);
    const clock = () => nowMs;
    for (const [name, alias] of [
      ['Globex', 'GBX'],
      ['Bücher & Co', 'Buecher'],
      ['Initech', 'IT'],
    ] as const) {
      const words = {
        name,
        aliases: [{ alias, match: 'exact' as const }],
        domains: [`${alias.toLowerCase()}.com`],
      };
      await addSubject(store, workspaceId, { words, clock });
    }
    await removeSubject(store, workspaceId, 'Initech', { clock });
    const { body } = await call(api, '/api/v1/subjects', { key });
    const ids = [...body.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(body).toBe(
      `{"subjects":[${[
        `{"id":"${ids[0]}","type":"brand","name":"Brand of ${slug}","aliases":[],"domains":[],"archived_at":null}`,
        `{"id":"${ids[1]}","type":"competitor","name":"Bücher & Co","aliases":["Buecher"],"domains":["buecher.com"],"archived_at":null}`,
        `{"id":"${ids[2]}","type":"competitor","name":"Globex","aliases":["GBX"],"domains":["gbx.com"],"archived_at":null}`,
        `{"id":"${ids[3]}","type":"competitor","name":"Initech","aliases":[],"domains":[],"archived_at":"2026-11-20T12:34:56.789Z"}`,
      ].join(',')}]}`,
    );
    const foreign = await call(api, '/api/v1/subjects', { key: other.key });
    expect(foreign.json()).toMatchObject({ subjects: [{ name: `Brand of ${other.slug}` }] });
    expect(foreign.json().subjects).toHaveLength(1);
  });
});

eachStore({ title: 'the days of a period', onBoth: false }, (open) => {
  test('the days of crawls are refused if the day before or after them has no four-digit year', async () => {
    const { store } = await open();
    const api = await startApi(store);
    const { key } = await newTenant(store);
    for (const day of ['0000-01-01', '0001-01-01', '1969-12-31', '9999-01-01', '9999-12-31']) {
      const refused = await call(api, `/api/v1/crawls?from=${day}&to=${day}`, { key });
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_parameter']);
    }
    for (const day of ['1970-01-01', '9998-12-31']) {
      const { body } = await call(api, `/api/v1/crawls?from=${day}&to=${day}`, { key });
      expect(body).toBe(`{"crawls":[]}`);
    }
  });
});

eachStore({ title: 'reports that are read in threads', onBoth: false }, (open) => {
  test('the API says with 503 and Retry-After that too many reports wait, and still serves what is no report', async () => {
    const { store } = await open();
    const { key } = await newTenant(store);
    const readReport = () => Promise.reject(new Refusal('long_reads_too_many', {}));
    const api = await startApi(store, { readReport });
    for (const { endpoint, isReport = false } of servedEndpoints) {
      const { statusCode, headers, body } = await call(api, endpoint.path, { key });
      const served = isReport ? [503, '5'] : [200, undefined];
      expect([endpoint.name, statusCode, headers['retry-after']]).toEqual([
        endpoint.name,
        ...served,
      ]);
      expect(body.includes('"detail":"Too many long reads are running."')).toBe(isReport);
    }
    expect(servedEndpoints.filter(({ isReport }) => isReport)).toHaveLength(8);
    const refused = api.lines().filter(({ level }) => Number(level) >= 40);
    expect(refused).toMatchObject([
      { failures: 1, msg: 'requests were refused because too many long reads were waiting' },
    ]);
    expect(api.text()).not.toContain('stack');
  });
});

eachStore({ title: 'the reports after midnight UTC', onBoth: false }, (open) => {
  test.each([
    ['subjects', true],
    ['shares', false],
    ['sources', false],
    ['answers', false],
    ['searches', false],
    ['crawls', true],
  ])(
    'a report with a period responds to HEAD of %s like GET, and its tag stays valid: %s',
    async (name, isKept) => {
      const { store } = await open();
      const state = { nowMs: Date.parse('2026-11-20T23:59:59.999Z') };
      const clock = () => state.nowMs;
      const api = await startApi(store, { clock, quota: 0 });
      const workspaceId = await aWorkspace(store);
      const { key } = await createKey(store, { workspaceId, name: 'test', clock });
      // The first day of the default period: tomorrow the period begins later.
      const run = {
        prompt: 'Which?',
        engine: 'chatgpt',
        answer: 'Acme.',
        sources: ['https://a.com'],
        queries: ['tool'],
      };
      await importRows(store, workspaceId, [{ ...run, run_at: '2026-10-24T06:00:00Z' }]);
      const path = `/api/v1/${name}`;
      const first = await call(api, path, { key });
      const tag = String(first.headers['etag']);
      const both = async (headers = {}) => {
        const get = await call(api, path, { key, headers });
        const head = await call(api, path, { key, headers, method: 'HEAD' });
        expect([head.statusCode, head.body, head.headers['etag'], head.headers['link']]).toEqual([
          get.statusCode,
          '',
          get.headers['etag'],
          get.headers['link'],
        ]);
        return get;
      };
      expect((await both()).body).toBe(first.body);
      expect((await both({ 'if-none-match': tag })).statusCode).toBe(304);
      state.nowMs += 1;
      const after = await both({ 'if-none-match': tag });
      expect(after.statusCode).toBe(isKept ? 304 : 200);
      expect(after.body).toBe(isKept ? '' : `{"${name}":[]}`);
      expect(first.body).not.toBe(after.body);
    },
  );
});

eachStore('a cursor of answers', (open) => {
  test(
    'a cursor of answers is refused if its place is not a moment and an id, even with the right mark',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const api = await startApi(store);
      const { key } = await newTenant(store);
      const query = 'from=2026-11-01&to=2026-11-02';
      const mark = hash('sha256', `answers ${query}`).slice(0, 16);
      for (const place of ['\0', 'x', '\ud800']) {
        const cursor = Buffer.from(JSON.stringify([place, place, mark])).toString('base64url');
        const refused = await call(api, `/api/v1/answers?${query}&cursor=${cursor}`, { key });
        expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_parameter']);
      }
    },
  );
  test(
    'a cursor of another workspace gives only rows of the own workspace',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const clock = () => nowMs;
      const api = await startApi(store, { clock, quota: 0 });
      const tenants = [];
      for (const [name, minute] of [
        ['first', '00'],
        ['second', '30'],
      ] as const) {
        const workspaceId = await aWorkspace(store);
        const { key } = await createKey(store, { workspaceId, name, clock });
        const rows = Array.from({ length: 6 }, (_, hour) => ({
          prompt: `Which for the ${name}?`,
          engine: 'chatgpt',
          run_at: `2026-11-19T0${hour}:${minute}:00Z`,
          answer: `Acme, says the ${name}.`,
        }));
        await importRows(store, workspaceId, rows);
        tenants.push({ key });
      }
      const [own, other] = tenants;
      const page = await call(api, '/api/v1/answers?limit=2', { key: own?.key ?? '' });
      const next = /<https:\/\/[^/]+(.*)>/.exec(String(page.headers['link']))?.[1] ?? '';
      const given = await call(api, next, { key: other?.key ?? '' });
      expect(given.statusCode).toBe(200);
      expect(given.json().answers).toMatchObject([
        { run_at: '2026-11-19T03:30:00.000Z', text: 'Acme, says the second.' },
        { run_at: '2026-11-19T02:30:00.000Z', text: 'Acme, says the second.' },
      ]);
      expect(given.body).not.toContain('first');
      const changed = await call(api, next.replace('limit=2', 'engine=chatgpt'), {
        key: own?.key ?? '',
      });
      expect([changed.statusCode, changed.json().code]).toEqual([400, 'invalid_parameter']);
    },
  );
});
