import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, newTenant, nowMs, startApi } from '../../test/api.ts';
import { eachStore } from '../../test/stores.ts';
import { addSubject, removeSubject } from '../workspaces/subjects.ts';

eachStore('the subjects of a workspace', (open) => {
  test('are listed with names and words, the brand first, archived ones without their words', async () => {
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

eachStore('the days of a period', (open) => {
  test.each(['shares', 'sources', 'answers', 'crawls'])(
    'of %s are refused where a day before or behind them has no year of four digits',
    async (name) => {
      const { store } = await open();
      const api = await startApi(store);
      const { key } = await newTenant(store);
      for (const day of ['0000-01-01', '0001-01-01', '1969-12-31', '9999-01-01', '9999-12-31']) {
        const refused = await call(api, `/api/v1/${name}?from=${day}&to=${day}`, { key });
        expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_parameter']);
      }
      for (const day of ['1970-01-01', '9998-12-31']) {
        const { body } = await call(api, `/api/v1/${name}?from=${day}&to=${day}`, { key });
        expect(body).toBe(`{"${name}":[]}`);
      }
    },
  );
});

eachStore('a cursor of answers', (open) => {
  test('is refused if its place is no moment and no id, with the mark of its query, too', async () => {
    const { store } = await open();
    const api = await startApi(store);
    const { key } = await newTenant(store);
    const query = 'from=2026-11-01&to=2026-11-02';
    const mark = hash('sha256', query).slice(0, 16);
    for (const place of ['\0', 'x', '\ud800']) {
      const cursor = Buffer.from(JSON.stringify([place, place, mark])).toString('base64url');
      const refused = await call(api, `/api/v1/answers?${query}&cursor=${cursor}`, { key });
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_parameter']);
    }
  });
});
