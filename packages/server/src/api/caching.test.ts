import { copyFileSync, existsSync } from 'node:fs';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { call, newTenant, nowMs, read, startApi } from '../../test/servers/api.ts';
import { withInterruptedRead } from '../../test/stores/failing-store.ts';
import { aDetection, anAction, aPrompt, aRun, aScore, writeRows } from '../../test/stores/rows.ts';
import { eachDatabase, eachStore } from '../../test/stores/stores.ts';
import { sqlitePath } from '../storage/open/database-url.ts';
import { openStore } from '../storage/open/open-store.ts';
import { databaseFiles } from '../storage/sqlite/files/files.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { createBodyCache } from './response/ready-body.ts';
import { matchesTag } from './response/entity-tag.ts';

const prompts = '/api/v1/prompts';
const scores = '/api/v1/scores';

/** A client with a cache: it sends the tag of its last response. */
function client(api: Parameters<typeof call>[0], key: string, path: string) {
  let tag: string | undefined;
  return async () => {
    const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag };
    const response = await call(api, path, { key, headers });
    tag = String(response.headers['etag']);
    return { status: response.statusCode, body: response.body, tag };
  };
}

eachStore({ title: 'a client that keeps an entity tag', onBoth: false }, (open) => {
  let store: Store;
  let url: string;
  beforeAll(async () => {
    ({ store, url } = await open());
  });

  test('a client that keeps an entity tag gets the new body after midnight UTC where the day decides, and 304 where it does not', async () => {
    let now = Date.parse('2026-11-20T23:59:59.999Z');
    const api = await startApi(store, { clock: () => now, quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    await writeRows(store, workspaceId, { scores: [aScore({ date: '2026-05-25' })] });
    const [ofScores, ofPrompts] = [client(api, key, scores), client(api, key, prompts)];
    expect(await ofScores()).toMatchObject({ status: 200 });
    expect(await ofPrompts()).toMatchObject({ status: 200 });
    expect(await ofScores()).toMatchObject({ status: 304, body: '' });
    now += 1;
    expect(await ofScores()).toMatchObject({ status: 200, body: '{"scores":[]}' });
    expect(await ofPrompts()).toMatchObject({ status: 304 });
  });

  test('a client that keeps an entity tag gets the new body from the first request after a commit in another process', async () => {
    const api = await startApi(store, { quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    const ask = client(api, key, prompts);
    expect(await ask()).toMatchObject({ status: 200, body: '{"prompts":[]}' });
    const other = await openStore(url);
    onTestFinished(() => other.close());
    for (let index = 0; index < 5; index++) {
      expect(await ask()).toMatchObject({ status: 304 });
      await writeRows(other, workspaceId, { prompts: [aPrompt({ text: `number ${index}` })] });
      const response = await ask();
      expect(response.status).toBe(200);
      expect(response.body).toContain(`number ${index}`);
    }
  });

  test('a client that keeps an entity tag gets a response of exactly one state if a write comes in between', async () => {
    const { workspaceId, key } = await newTenant(store);
    const other = await openStore(url);
    onTestFinished(() => other.close());
    const interrupted = withInterruptedRead(store, () =>
      writeRows(other, workspaceId, { prompts: [aPrompt({ text: 'in between' })] }),
    );
    const ask = client(await startApi(interrupted, { quota: 0 }), key, prompts);
    const first = await ask();
    // The response without the new row has the old tag, the response with it has the new one.
    expect(first.body).toContain('in between');
    expect(await ask()).toMatchObject({ status: 304, tag: first.tag });
  });

  test('a client that keeps an entity tag sees nothing of a transaction that is still open, or that failed', async () => {
    const api = await startApi(store, { quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    const ask = client(api, key, prompts);
    await ask();
    const failing = writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction
        .insertInto('prompts')
        .values({ workspace_id: workspaceId, ...aPrompt() })
        .execute();
      expect(await ask()).toMatchObject({ status: 304 });
      throw new Error('It goes wrong at the end');
    });
    await expect(failing).rejects.toThrow('at the end');
    expect(await ask()).toMatchObject({ status: 304 });
    expect(await read(api, prompts, key)).toEqual({ prompts: [] });
  });

  test("a client that keeps an entity tag is not fooled by another workspace's write, another query or another endpoint", async () => {
    const api = await startApi(store, { quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    const other = await newTenant(store);
    await writeRows(store, workspaceId, {
      actions: [anAction({ status: 'open' }), anAction({ status: 'done' })],
    });
    const open_ = client(api, key, '/api/v1/actions?status=open');
    const done = client(api, key, '/api/v1/actions?status=done');
    const [first, second] = [await open_(), await done()];
    expect(first.tag).not.toBe(second.tag);
    await writeRows(store, other.workspaceId, { actions: [anAction()] });
    expect(await open_()).toMatchObject({ status: 304 });
    const headers = { 'if-none-match': first.tag };
    expect((await call(api, '/api/v1/actions?status=done', { key, headers })).statusCode).toBe(200);
    const foreign = await call(api, '/api/v1/actions?status=open', { key: other.key, headers });
    expect(foreign.statusCode).toBe(200);
  });

  test('a client that keeps an entity tag gets the new body after an upgrade', async () => {
    const { workspaceId, key } = await newTenant(store);
    await writeRows(store, workspaceId, { prompts: [aPrompt()] });
    const before = await call(await startApi(store), prompts, { key });
    vi.resetModules();
    vi.doMock('../version.ts', () => ({ version: '99.0.0' }));
    onTestFinished(() => {
      vi.doUnmock('../version.ts');
      vi.resetModules();
    });
    const { startApi: startUpgraded } = await import('../../test/servers/api.ts');
    const headers = { 'if-none-match': String(before.headers['etag']) };
    const after = await call(await startUpgraded(store), prompts, { key, headers });
    expect(after.statusCode).toBe(200);
    expect(after.body).toBe(before.body);
    const again = { 'if-none-match': String(after.headers['etag']) };
    expect(
      (await call(await startUpgraded(store), prompts, { key, headers: again })).statusCode,
    ).toBe(304);
  });

  test('a client that keeps an entity tag gets the response from memory the second time, and never one of an older state', async () => {
    const api = await startApi(store, { quota: 0 });
    const { workspaceId, key } = await newTenant(store);
    const runs = [aRun()];
    const detections = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, workspaceId, { runs, detections });
    const first = await call(api, '/api/v1/detections', { key });
    const second = await call(api, '/api/v1/detections', { key });
    expect(second.body).toBe(first.body);
    const { body: metrics } = await call(api, '/metrics');
    expect(metrics).toContain('overheard_answers_total{outcome="hit"} 1');
    expect(metrics).toContain('overheard_answers_total{outcome="miss"} 1');
    await writeRows(store, workspaceId, {
      detections: [aDetection({ run_id: String(runs[0]?.id) })],
    });
    const third = await call(api, '/api/v1/detections', { key });
    expect(third.json().detections).toHaveLength(2);
  });
});

eachDatabase('a restored backup', (create, dialect) => {
  test('a restored backup never responds with a tag of another state', async () => {
    const url = await create();
    let store = await openStore(url, { mayCreate: true });
    onTestFinished(() => store.close());
    const { workspaceId, key } = await newTenant(store);
    const ask = async () =>
      client(await startApi(store, { clock: () => nowMs, quota: 0 }), key, prompts)();
    const saved = await ask();
    const restore = dialect === 'sqlite' ? await backUpFiles() : await backUpRows();
    await writeRows(store, workspaceId, { prompts: [aPrompt({ text: 'lost' })] });
    const lost = await ask();
    await restore();
    const restored = await ask();
    await writeRows(store, workspaceId, { prompts: [aPrompt({ text: 'afterwards' })] });
    const after = await ask();
    expect(restored).toEqual(saved);
    expect(lost.body).toContain('lost');
    expect(after.body).toContain('afterwards');
    expect(new Set([saved.tag, lost.tag, after.tag]).size).toBe(3);

    /** Restores a backup as an operator does: stops the server and copies both files back. */
    async function backUpFiles(): Promise<() => Promise<void>> {
      const files = Object.values(databaseFiles(sqlitePath(url))).filter((file) =>
        existsSync(file),
      );
      await store.close();
      for (const file of files) copyFileSync(file, `${file}.backup`);
      store = await openStore(url);
      return async () => {
        await store.close();
        for (const file of files) copyFileSync(`${file}.backup`, file);
        store = await openStore(url);
      };
    }

    /** Makes these tables as a restored dump leaves them. */
    async function backUpRows(): Promise<() => Promise<void>> {
      const rows = await store.reader.selectFrom('revisions').selectAll().execute();
      return async () => {
        await store.writer.deleteFrom('prompts').execute();
        await store.writer.deleteFrom('revisions').execute();
        await store.writer.insertInto('revisions').values(rows).execute();
      };
    }
  });
});

describe('If-None-Match', () => {
  test.each([
    ['W/"a.b"', true],
    ['"a.b"', true],
    ['W/"x", W/"a.b"', true],
    ['*', true],
    ['"x"', false],
    ['a.b', false],
    ['"xa.b"', false],
    ['', false],
  ])('a response is compared with If-None-Match: %s', (header, isMatched) => {
    expect(matchesTag(header, 'W/"a.b"')).toBe(isMatched);
  });

  test('a request without If-None-Match gets the whole response', () => {
    expect(matchesTag(undefined, 'W/"a.b"')).toBe(false);
  });
});

describe('the cache of answers', () => {
  test('the cache of responses stays within its bytes, and forgets the response that was not requested for longest', () => {
    const cache = createBodyCache({ bytesMax: 100_000 });
    const body = Buffer.alloc(9000);
    for (let index = 0; index < 100; index++) cache.set(`key ${index}`, { body });
    const kept = Array.from({ length: 100 }, (_, index) => cache.get(`key ${index}`) !== undefined);
    expect(kept.filter(Boolean).length * body.length).toBeLessThanOrEqual(100_000);
    expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
    expect(kept.filter(Boolean).length).toBeGreaterThan(5);
  });

  test('the cache of responses keeps no response that would push out most others, and none if it is switched off', () => {
    const cache = createBodyCache({ bytesMax: 80_000 });
    cache.set('small', { body: Buffer.alloc(1000) });
    cache.set('large', { body: Buffer.alloc(20_000) });
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
    const none = createBodyCache({ bytesMax: 0 });
    none.set('small', { body: Buffer.alloc(1) });
    expect(none.get('small')).toBeUndefined();
  });
});
