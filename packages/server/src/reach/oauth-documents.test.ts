// @module-tag slow

import { beforeAll, expect, test } from 'vitest';
import { nowMs } from '../../test/servers/api.ts';
import {
  asked,
  authorizePath,
  clientDocument,
  newMember,
  serveDocument,
  startServer,
} from '../../test/servers/assistants.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { DocumentFetch } from '../people/connectors/client-documents.ts';
import type { Store } from '../storage/store.ts';

const hourMs = 60 * 60_000;

eachStore({ title: 'documents of assistants', onBoth: false }, (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  const unread = { ...clientDocument, client_id: 'https://unread.example/client.json' };
  test.for<readonly [string, DocumentFetch]>([
    ['cannot be fetched', () => Promise.reject(new Error('refused'))],
    ['is missing', serveDocument(unread, { status: 404 })],
    ['is of another client', serveDocument()],
    ['is a page', () => Promise.resolve(new Response(JSON.stringify(unread)))],
    ['has no redirects', serveDocument({ client_id: unread.client_id })],
    ['has over 5 KB', serveDocument({ ...unread, more: 'x'.repeat(5 * 1024) })],
  ])('a client whose document %s gets a page, not a redirect', async ([, fetchDocument]) => {
    const server = await startServer(store, { fetchDocument });
    const { person } = await newMember(store);
    const page = await server
      .visitor(person)
      .get(authorizePath({ ...asked, client_id: unread.client_id }));
    expect(page.statusCode).toBe(400);
    expect(page.headers.location).toBeUndefined();
    expect(page.body).toContain('This assistant is unknown');
  });

  test(
    'documents are fetched without following redirects, with a limit of time, once an hour',
    { tags: ['once'] },
    async () => {
      const inits: unknown[] = [];
      let at = nowMs;
      const server = await startServer(store, {
        clock: () => at,
        fetchDocument: (url, init) => {
          inits.push(init);
          return serveDocument({ ...clientDocument, client_id: url })(url, init);
        },
      });
      const { person } = await newMember(store);
      const visitor = server.visitor(person);
      const path = authorizePath({ ...asked, client_id: 'https://once.example/client.json' });
      for (const ms of [0, hourMs - 1, hourMs, hourMs]) {
        at = nowMs + ms;
        expect((await visitor.get(path)).statusCode).toBe(200);
      }
      expect(inits).toHaveLength(2);
      expect(inits[0]).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) });
    },
  );

  test(
    'a document that failed is fetched again after a minute, and one person has 30 fetched an hour',
    { tags: ['once'] },
    async () => {
      const fetched: string[] = [];
      let at = nowMs;
      const server = await startServer(store, {
        clock: () => at,
        fetchDocument: (url) => {
          fetched.push(url);
          return Promise.reject(new Error('refused'));
        },
      });
      const [one, other] = [await newMember(store), await newMember(store)];
      const openPage = async ({ person }: typeof one, name: string) => {
        const client_id = `https://failing.example/${name}`;
        return server.visitor(person).get(authorizePath({ ...asked, client_id }));
      };
      for (const [ms, count] of [
        [0, 1],
        [59_999, 1],
        [60_000, 2],
      ] as const) {
        at = nowMs + ms;
        expect((await openPage(one, 'client')).statusCode).toBe(400);
        expect(fetched).toHaveLength(count);
      }
      for (let place = 2; place < 30; place += 1) await openPage(one, String(place));
      const late = await openPage(one, 'late');
      expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '3540']);
      expect(fetched).toHaveLength(30);
      expect((await openPage(other, 'late')).statusCode).toBe(400);
      at = nowMs + hourMs;
      expect((await openPage(one, 'late')).statusCode).toBe(400);
    },
  );

  test.for([
    'http://assistant.example/client.json',
    'https://assistant.example/',
    'https://user@assistant.example/client.json',
    'https://assistant.example/client.json#x',
    'https://assistant.example/a/../client.json',
    '0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00',
  ])('no document is fetched for the client %s', async (id) => {
    const fetched: string[] = [];
    const server = await startServer(store, {
      fetchDocument: (url) => {
        fetched.push(url);
        return Promise.reject(new Error('refused'));
      },
    });
    const { person } = await newMember(store);
    const page = await server.visitor(person).get(authorizePath({ ...asked, client_id: id }));
    expect([page.statusCode, fetched]).toEqual([400, []]);
  });

  test('a hostile name of a client is text without signs that act, and its host is named', async () => {
    const client_name = `<script>alert(1)</script>\u202eOverheard\n${'x'.repeat(500)}`;
    const document = { ...clientDocument, client_id: 'https://evil.example/c', client_name };
    const server = await startServer(store, { fetchDocument: serveDocument(document) });
    const { person } = await newMember(store);
    const { body } = await server
      .visitor(person)
      .get(authorizePath({ ...asked, client_id: document.client_id }));
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('\u202e');
    expect(body).not.toContain('x'.repeat(81));
    expect(body).toContain('evil.example');
    expect(body).toContain('Nobody has checked its name');
  });

  test('a client whose name is invisible is called by its host', async () => {
    const client_name = '\u200b \u2060\u3164';
    const document = { ...clientDocument, client_id: 'https://unseen.example/c', client_name };
    const server = await startServer(store, { fetchDocument: serveDocument(document) });
    const { person } = await newMember(store);
    const { body } = await server
      .visitor(person)
      .get(authorizePath({ ...asked, client_id: document.client_id }));
    expect(body).toContain('<strong>unseen.example</strong>');
  });
});
