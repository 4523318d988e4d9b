import { hash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { connectAddress } from '../../../mcp/test/connect.ts';
import { aWorkspace, importRows, now } from '../answers/answers.ts';
import { newPerson } from './people.ts';
import { Visitor, hiddenField, startWeb } from './web.ts';
import { call, startApi } from '../servers/api.ts';
import type { Open } from '../stores/stores.ts';
import { createKey } from '../../src/access/keys.ts';

/** The clock of these tests: 20 November 2026. */
export const clock = () => now;
export const october = { from: '2026-10-01', to: '2026-10-31' };

/** Answers of October: `count` runs of a prompt a day apart, of which each second cites the brand. */
export function answersOf(prompt: string, count: number, engine = 'chatgpt') {
  return Array.from({ length: count }, (_, index) => ({
    prompt,
    engine,
    run_at: new Date(Date.parse('2026-10-01T06:00:00Z') + index * 86_400_000).toISOString(),
    answer: index % 2 === 0 ? 'Acme and Globex.' : 'Globex.',
  }));
}

/** A workspace with pages, API and tools, and two imports of October. */
export async function opened(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aWorkspace(store);
  const { slug } = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  await importRows(store, workspaceId, answersOf('Which CRM?', 20));
  await importRows(store, workspaceId, [
    ...answersOf('Which ERP?', 10, 'perplexity_api'),
    ...answersOf('Which tool is like Hooli?', 6),
  ]);
  const web = await startWeb(store, { clock });
  const as = async (role: 'viewer' | 'editor' | 'admin') =>
    new Visitor(web, await newPerson(store, { workspaceId, role, clock }));
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  const api = await startApi(store, { clock, quota: 0 });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const host = await connectAddress({ url, apiKey: key });
  onTestFinished(() => host.close());
  const list = async (query = '') => (await call(api, `/api/v1/reports${query}`, { key })).json();
  return { store, workspaceId, slug, web, as, api, key, host, list };
}

export type Place = Awaited<ReturnType<typeof opened>>;

/** Publishes October with the button of the overview, and returns the report's id. */
export async function publish({ slug }: Place, person: Visitor): Promise<string> {
  const overview = await person.get(`/w/${slug}/?from=${october.from}&to=${october.to}`);
  expect(overview.body).toContain('>Publish</button>');
  const form = hiddenField(overview, 'form');
  const { headers } = await person.post(`/w/${slug}/reports`, { form, ...october, tag: '' });
  return /id=([0-9a-f-]{36})$/.exec(String(headers.location))?.[1] ?? '';
}

/** The words of a page. */
export function textOf(body: string): string {
  return body.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
}

/** What each door shows of a published report. */
export async function shown({ slug, api, key, host, list }: Place, person: Visitor, id: string) {
  const page = await person.get(`/w/${slug}/reports?id=${id}`);
  const csv = await person.get(`/w/${slug}/reports?id=${id}&format=csv`);
  const { body } = await call(api, `/api/v1/reports?id=${id}`, { key });
  const { reports } = await list();
  const ofTool = await host.call('get_reports', {});
  const whole = await host.call('get_reports', { id });
  return {
    hashes: {
      page: /SHA-256 of the stored figures: ([0-9a-f]{64})/.exec(textOf(page.body))?.[1],
      csv: csv.body.trim().split(',').at(-1),
      endpoint: reports[0].sha256,
      tool: ofTool.rows[0]?.['sha256'],
      body: hash('sha256', body),
    },
    figures: page.body.replace(/<section id="recount">.*?<\/section>/s, ''),
    csv: csv.body,
    body,
    whole: JSON.stringify(whole.rows),
  };
}
