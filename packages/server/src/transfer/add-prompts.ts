import { Readable } from 'node:stream';
import type { Store } from '../storage/store.ts';
import { importRows } from './import-rows.ts';
import { prompts as resource } from './resources/prompts.ts';

/**
 * Writes prompts of one locale and language as an import in one transaction, so that it is listed
 * and can be reverted. Returns how many are new.
 */
export async function addPrompts(
  store: Store,
  {
    workspaceId,
    texts,
    locale,
    language,
    topic,
    name,
    importedBy,
    clock,
  }: {
    workspaceId: string;
    texts: readonly string[];
    locale: string;
    language: string;
    /** The topic of all. */
    topic?: string | undefined;
    /** Under which name the import is listed. */
    name: string;
    importedBy?: string;
    clock: () => number;
  },
): Promise<number> {
  if (texts.length === 0) return 0;
  const rows = texts.map((text) => JSON.stringify({ text, locale, language, topic })).join('\n');
  const stream = Readable.from([Buffer.from(rows)]);
  const { rows: counts } = await importRows(store, {
    workspaceId,
    resource,
    source: { name, stream, bytesTotal: undefined },
    format: 'ndjson',
    importedBy,
    clock,
  });
  return counts.new;
}
