import { endpoints, isProblemCode, problems, rowEndpoints } from '@overheard/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call, newTenant, nowMs, publicUrl, startApi } from '../../test/servers/api.ts';
import { idOf, oneOfEach, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const rows = oneOfEach({ subjectId: idOf(4) });

/** The response of each endpoint for these rows, byte by byte. */
const bytes: Readonly<Record<(typeof rowEndpoints)[number]['name'], string>> = {
  scores:
    '{"scores":[{"date":"2026-11-20","engine":"chatgpt","citations":18,"total_runs":40,"sov":0.3214}]}',
  prompts:
    '{"prompts":[{"id":"00000000-0000-4000-8000-000000000001","text":"Which CRM suits a small agency?","language":"en","locale":"en-US","active":true,"created_at":"2026-06-01T08:00:00.000Z"}]}',
  actions:
    '{"actions":[{"id":"00000000-0000-4000-8000-000000000002","prompt_id":null,"recommendation":"Publish a comparison page.","priority":"high","status":"open","impact_score":72.5,"sov_baseline":0.1,"sov_result":null,"created_at":"2026-11-18T06:00:00.000Z"}]}',
  'agent-hits':
    '{"hits":[{"bot_name":"GPTBot","bot_company":"OpenAI","category":"crawler","path":"/pricing","method":"GET","status":200,"verification":"verified","hit_at":"2026-11-20T11:00:00.000Z"}]}',
  detections:
    '{"detections":[{"run_id":"00000000-0000-4000-8000-000000000003","subject_type":"brand","subject_id":"00000000-0000-4000-8000-000000000004","cited":true,"position":118,"rank":1,"sentiment":"positive","engine":"chatgpt","run_at":"2026-11-20T06:00:00.000Z"}]}',
};

eachStore('every endpoint', (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  describe.each(rowEndpoints)('$name', ({ name, path, array, row, fields }) => {
    test('every endpoint responds to these rows with exactly these bytes, fields in the order of the contract', async () => {
      const api = await startApi(store);
      const { workspaceId, key } = await newTenant(store);
      await writeRows(store, workspaceId, rows);
      const response = await call(api, path, { key });
      expect(response.body).toBe(bytes[name]);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(bytes[name])));
      const parsed = z.strictObject({ [array]: z.array(row) }).parse(response.json());
      expect(Object.keys(z.array(z.looseObject({})).parse(parsed[array])[0] ?? {})).toEqual(fields);
    });

    test('every endpoint responds to an empty workspace with an empty array', async () => {
      const api = await startApi(store);
      const { key } = await newTenant(store);
      const response = await call(api, path, { key });
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe(`{"${array}":[]}`);
    });

    test('every endpoint shows nothing of another workspace’s rows', async () => {
      const api = await startApi(store);
      const own = await newTenant(store);
      const other = await newTenant(store);
      await writeRows(store, other.workspaceId, rows);
      expect((await call(api, path, { key: own.key })).body).toBe(`{"${array}":[]}`);
      expect((await call(api, path, { key: other.key })).body).toBe(bytes[name]);
    });
  });
});

// What these refuse and repeat does not depend on the database.
eachStore({ title: 'every endpoint', onBoth: false }, (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  describe.each(endpoints)('$name', ({ name, path }) => {
    test('every endpoint responds to HEAD like GET, without the body', async () => {
      const api = await startApi(store, { quota: 0 });
      const { workspaceId, key } = await newTenant(store);
      await writeRows(store, workspaceId, rows);
      const got = await call(api, path, { key });
      const head = await call(api, path, { key, method: 'HEAD' });
      expect(head.statusCode).toBe(200);
      expect(head.body).toBe('');
      expect(stable(head.headers)).toEqual(stable(got.headers));
    });

    test('every endpoint responds with 304 and no body to a client that has this state', async () => {
      const api = await startApi(store, { quota: 0 });
      const { key } = await newTenant(store);
      const { etag, 'cache-control': control, vary } = (await call(api, path, { key })).headers;
      const headers = { 'if-none-match': String(etag) };
      const response = await call(api, path, { key, headers });
      expect(response.statusCode).toBe(304);
      expect(response.headers).not.toHaveProperty('content-type');
      expect(response.headers).not.toHaveProperty('content-length');
      expect(response.headers['date']).toBeDefined();
      expect(response.body).toBe('');
      expect(response.headers).toMatchObject({ etag, 'cache-control': control, vary });
      expect(control).toBe('private, no-cache');
      expect(vary).toBe('Authorization, Accept-Encoding');
      expect((await call(api, path, { key, headers, method: 'HEAD' })).statusCode).toBe(304);
    });

    test('every endpoint refuses unknown, repeated, empty and ill-encoded parameters, and counts the request', async () => {
      const api = await startApi(store);
      const { key } = await newTenant(store);
      const queries = ['x=1', 'x', 'x=%zz', 'x=%ff', '%00', 'x=1&x=1', '&', '=', 'status[]=open'];
      for (const [index, query] of queries.entries()) {
        const response = await call(api, `${path}?${query}`, { key });
        expectProblem(response, 'invalid_parameter');
        expect(response.json().errors).not.toEqual([]);
        expect(response.headers['ratelimit']).toMatch(`"${name}";r=${299 - index};t=`);
      }
      expect((await call(api, `${path}?`, { key })).statusCode).toBe(200);
    });

    test('every endpoint responds with 401 without a key and with a wrong one', async () => {
      const api = await startApi(store);
      const missing = await call(api, path);
      expectProblem(missing, 'missing_api_key');
      expect(missing.headers['www-authenticate']).toBe('Bearer realm="overheard"');
      const wrong = await call(api, path, { key: 'overheard_wrong' });
      expectProblem(wrong, 'invalid_api_key');
      expect(wrong.headers['www-authenticate']).toBe(
        'Bearer realm="overheard", error="invalid_token"',
      );
    });

    test('every endpoint responds to other methods with 405, and to OPTIONS with 204, and lists the allowed ones', async () => {
      const api = await startApi(store);
      const { key } = await newTenant(store);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
        const response = await call(api, path, { key, method });
        expectProblem(response, 'method_not_allowed');
        expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
      }
      const options = await call(api, path, { method: 'OPTIONS' });
      expect(options.statusCode).toBe(204);
      expect(options.body).toBe('');
      expect(options.headers['allow']).toBe('GET, HEAD, OPTIONS');
      expect(JSON.stringify(options.headers)).not.toContain('access-control');
    });

    test('every endpoint responds with 404 to any other spelling of its path, whatever the method', async () => {
      const api = await startApi(store);
      const { key } = await newTenant(store);
      for (const other of [
        `${path}/`,
        path.toUpperCase(),
        `${path}.json`,
        `${path}%20`,
        '/',
        '/api/v1',
      ]) {
        expectProblem(await call(api, other, { key }), 'not_found');
        expectProblem(await call(api, other, { key, method: 'POST' }), 'not_found');
      }
    });

    test('every endpoint responds with 429 once the quota is spent, and says when to retry', async () => {
      const api = await startApi(store, { quota: 1 });
      const { key } = await newTenant(store);
      expect((await call(api, path, { key })).statusCode).toBe(200);
      const response = await call(api, path, { key });
      expectProblem(response, 'rate_limited');
      expect(response.headers).toMatchObject({
        'retry-after': '3600',
        ratelimit: `"${name}";r=0;t=3600`,
        'ratelimit-policy': `"${name}";q=1;w=3600`,
      });
    });
  });
});

function stable(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return others;
}

function expectProblem(
  response: Awaited<ReturnType<typeof call>>,
  code: string,
): asserts code is keyof typeof problems {
  expect(response.statusCode, response.body).toBe(isProblemCode(code) ? problems[code].status : 0);
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-store');
  const problem: Record<string, unknown> = response.json();
  expect(problem).toMatchObject({
    type: `${publicUrl}/errors/${code}`,
    code,
    request_id: response.headers['x-request-id'],
    status: response.statusCode,
  });
}
