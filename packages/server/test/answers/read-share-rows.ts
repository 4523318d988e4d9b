import { shares } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import { expect } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { call, startApi } from '../servers/api.ts';
import { now } from './answers.ts';

/** The rows of `GET /api/v1/shares` for a query such as `?by=engine`. */
export async function readShareRows(
  store: Store,
  workspaceId: string,
  query = '',
): Promise<ShareRow[]> {
  const clock = () => now;
  const api = await startApi(store, { clock, quota: 0 });
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  const response = await call(api, `/api/v1/shares${query}`, { key });
  expect(response.statusCode, response.body).toBe(200);
  return shares.row.array().parse(response.json().shares);
}
