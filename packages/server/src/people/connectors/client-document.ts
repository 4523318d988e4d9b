import { z } from 'zod';
import { readUpTo } from '../../values/read-up-to.ts';

/** Fetches from public addresses alone. */
export type DocumentFetch = (
  url: string,
  init: { redirect: 'error'; signal: AbortSignal; headers: Readonly<Record<string, string>> },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>;

const bytesMax = 5 * 1024;
const timeoutMs = 3000;

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

/**
 * Fetches the document in which a client describes itself. Undefined if it cannot be read, or is of
 * another client.
 * https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export async function readDocument(
  id: string,
  fetchDocument: DocumentFetch,
): Promise<z.infer<typeof documentSchema> | undefined> {
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
    const document = documentSchema.safeParse(JSON.parse(bytes.toString())).data;
    return document?.client_id === id ? document : undefined;
  } catch {
    return undefined;
  }
}
