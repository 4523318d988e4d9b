import { open, rm } from 'node:fs/promises';
import { importSecret, parseSecret, readCrawlerSettings } from '../../../crawlers/settings.ts';
import { outputRefusal } from '../../../transfer/write-output.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';
import { defineStoreCommand, word } from '../../define/define-command.ts';
import { text } from '../../define/options.ts';
import { readSecretText } from '../../filters/read-secrets.ts';
import type { Io } from '../../terminal/io.ts';
import { Refusal } from '../../../refusals.ts';

const examples = [
  'overheard workspace export-secret acme --output acme.secret',
  'overheard workspace import-secret acme acme.secret',
  'overheard workspace export-secret acme |',
  '  overheard workspace import-secret acme - --database postgres://overheard@db.internal/overheard',
];

export const exportSecretCommand = defineStoreCommand({
  name: 'export-secret',
  summary: 'write the secret by which hits are recognised',
  description:
    'Writes the secret under which a workspace recognises the hits of its logs: 64 hexadecimal digits. Move it with the hits. Otherwise the same log, read on the other server, adds every hit twice. Anyone who has it can find addresses from the ids of hits, so keep it like a key.',
  arguments: { slug: word('the workspace') },
  options: {
    output: text('<file>', 'write to a new file that only you can read, instead of stdout'),
  },
  examples,
  run: async ({ store }, { slug, output }) => {
    const { id } = await findWorkspace(store.reader, slug);
    const secret = (await readCrawlerSettings(store, id)).secret.toString('hex');
    if (output === undefined) return { text: secret };
    await writeSecret(output, `${secret}\n`);
    return { words: `${output}: the secret of ${slug}. Remove the file once it is imported.` };
  },
});

export const importSecretCommand = defineStoreCommand({
  name: 'import-secret',
  summary: 'take over the secret of a workspace that was moved',
  description:
    'Gives a workspace the secret that `overheard workspace export-secret` wrote on another server, so that logs read there and here make the same hits. Do it before the first log is read here. The secret is refused if hits were read from logs under another one.',
  arguments: { slug: word('the workspace'), file: word('file to read, or - for standard input') },
  json: '{slug, has_changed}',
  examples,
  run: async ({ io, store }, { slug, file }) => {
    const secret = await readSecret(file, io);
    const { id } = await findWorkspace(store.reader, slug);
    const hasChanged = await importSecret(store, id, { secret, slug });
    return {
      json: { slug, hasChanged },
      words: hasChanged
        ? `${slug} has the secret of ${file === '-' ? 'standard input' : file} now.`
        : `Nothing changed: ${slug} has this secret already.`,
    };
  },
});

/**
 * Writes a new file. Refuses an existing one, because it may be the only copy of another
 * workspace's secret.
 */
async function writeSecret(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw outputRefusal(path, error);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw outputRefusal(path, error);
  } finally {
    await file.close();
  }
}

async function readSecret(path: string, io: Io): Promise<Buffer> {
  const { name, content } = await readSecretText(path, io);
  const secret = parseSecret(content);
  if (secret !== undefined) return secret;
  // Do not show the file's content, which may be a key.
  throw new Refusal('secret_malformed', { path: name });
}
