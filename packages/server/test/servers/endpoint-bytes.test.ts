/** The bytes of the five endpoints for fixed data do not change: their digests are kept here. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { actions, agentHits, detections, prompts, scores } from '@overheard/contract';
import { expect, test } from 'vitest';
import type { Store } from '../../src/storage/store.ts';
import { call, newTenant, nowMs, startApi } from './api.ts';
import { runCommand } from '../commands/command-line.ts';
import { idOf } from '../stores/rows.ts';
import { seededRows } from '../stores/seeded-rows.ts';
import { eachStore } from '../stores/stores.ts';

const clock = () => nowMs;
const kinds = ['prompts', 'scores', 'actions', 'hits', 'detections'];
const targets = [
  ...[scores, prompts, actions, agentHits, detections].map(({ path }) => path),
  '/api/v1/actions?status=open',
  `/api/v1/detections?prompt_id=${idOf(1)}`,
  '/api/v1/detections?prompt_id=7c9e6679-7425-40de-944b-000000000001',
];

/** The headers of every response of the five, whose length is known or not, and no `Link`. */
const headerNames = [
  'cache-control',
  'connection',
  'content-type',
  'date',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'vary',
  'x-content-type-options',
  'x-request-id',
];

/** One digest of the bodies of all targets. */
async function digest(store: Store, key: string): Promise<string> {
  const api = await startApi(store);
  const hash = createHash('sha256');
  for (const target of targets) {
    const { statusCode, body, headers } = await call(api, target, { key });
    expect(statusCode, body).toBe(200);
    const names = Object.keys(headers).filter(
      (name) => !/^(content-length|transfer-encoding)$/.test(name),
    );
    expect(names.toSorted()).toEqual(headerNames);
    hash.update(body);
  }
  return hash.digest('hex').slice(0, 16);
}

function example(name: string): Promise<string> {
  return readFile(new URL(`../../../../examples/${name}`, import.meta.url), 'utf8');
}

/** The first `id` of each row of a JSON text, in order. */
function idsOf(text: string): string[] {
  return [...text.matchAll(/"id": ?"([^"]+)"/g)].map(([, id = '']) => id);
}

eachStore('the bytes of the five endpoints', (open) => {
  async function tenant() {
    const { store, url } = await open({ clock });
    const { slug, key } = await newTenant(store);
    const importRows = async (kind: string, format: string, stdin: string) => {
      const at = ['--workspace', slug, '--database', url, '--format', format];
      const { code, stderr } = await runCommand(['import', kind, '-', ...at], { stdin, clock });
      expect(code, stderr).toBe(0);
    };
    return { store, url, slug, key, importRows };
  }

  test('the imported examples always give the same bytes', { tags: ['once'] }, async () => {
    const { store, key, importRows } = await tenant();
    for (const kind of kinds) await importRows(kind, 'csv', await example(`${kind}.csv`));
    expect(await digest(store, key)).toBe('3c25f142e313d117');
  });

  test('the API, exports and lists give actions in one order', async () => {
    const { store, url, slug, key, importRows } = await tenant();
    const rows = seededRows(13)['actions'] ?? [];
    await importRows('actions', 'json', JSON.stringify(rows));
    const response = await call(await startApi(store), '/api/v1/actions', { key });
    const expected = idsOf(response.body);
    expect(expected).toHaveLength(rows.length);
    const at = ['--workspace', slug, '--database', url];
    const exported = await runCommand(['export', 'actions', '--format', 'json', ...at], { clock });
    expect(idsOf(exported.stdout)).toEqual(expected);
    const listed = await runCommand(['actions', 'list', '--json', ...at], { clock });
    expect(idsOf(listed.stdout)).toEqual(expected);
  });
});
