import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { readUpTo } from '../../values/read-up-to.ts';
import { newClient } from './clients.ts';
import type { ConnectorClient } from './clients.ts';

/** Fetches from public addresses alone. */
export type DocumentFetch = (
  url: string,
  init: { redirect: 'error'; signal: AbortSignal; headers: Readonly<Record<string, string>> },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>;

/**
 * Finds the client of a document for a person. Undefined if the document cannot be read, or is of
 * another client. Returns the seconds to wait if the person has asked for too many documents.
 */
export type FindDocument = (
  id: string,
  userId: string,
) => Promise<ConnectorClient | undefined> | number;

const bytesMax = 5 * 1024;
const timeoutMs = 3000;
const lastsMs = { read: 60 * 60_000, failed: 60_000 };
const documentsMax = 1000;
/** How many documents one person may have fetched in an hour. */
export const fetchLimit = { failuresMax: 30, windowMs: 60 * 60_000 };

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().catch(''),
  redirect_uris: z.array(z.string()),
});

/** Whether an id may be the address of a client's document: https, with a path and nothing hidden. */
export function isDocumentAddress(id: string): boolean {
  const url = URL.parse(id);
  if (url === null || url.href !== id || url.protocol !== 'https:') return false;
  return url.pathname !== '/' && url.hash === '' && url.username === '' && url.password === '';
}

/** Fetches documents of clients, and keeps them in this process: one that failed for a minute. */
export function createFindDocument({
  fetchDocument,
  noteFetch,
  clock,
}: {
  fetchDocument: DocumentFetch;
  /** Counts a fetch for a person. Returns the seconds to wait if there were too many. */
  noteFetch: (userId: string) => number | undefined;
  clock: () => number;
}): FindDocument {
  const documents = new LRUCache<
    string,
    { untilMs: number; client: Promise<ConnectorClient | undefined> }
  >({ max: documentsMax });

  return function findDocument(id, userId) {
    const known = documents.get(id);
    if (known !== undefined && clock() < known.untilMs) return known.client;
    const seconds = noteFetch(userId);
    if (seconds !== undefined) return seconds;
    const fetched = { untilMs: clock() + lastsMs.failed, client: readDocument(id, fetchDocument) };
    documents.set(id, fetched);
    void fetched.client.then((client) => {
      if (client !== undefined) fetched.untilMs += lastsMs.read - lastsMs.failed;
    });
    return fetched.client;
  };
}

/** https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/ */
async function readDocument(
  id: string,
  fetchDocument: DocumentFetch,
): Promise<ConnectorClient | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { Accept: 'application/json' };
    const response = await fetchDocument(id, { redirect: 'error', signal, headers });
    const type = response.headers.get('content-type') ?? '';
    if (response.status !== 200 || !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      await response.body?.cancel();
      return undefined;
    }
    const bytes = await readUpTo(response.body, bytesMax);
    if (bytes.length > bytesMax) return undefined;
    const document = documentSchema.parse(JSON.parse(bytes.toString()));
    if (document.client_id !== id) return undefined;
    const { client_name: name, redirect_uris: redirects } = document;
    return newClient({ id, name, redirects, otherName: new URL(id).host });
  } catch {
    return undefined;
  }
}
