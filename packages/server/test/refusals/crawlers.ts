import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAcme, runInAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const crawlerCases = {
  robots_moment_taken: {
    facts: () => ({ host: 'www.acme.com', at: '2026-11-01T00:00:00.000Z' }),
    provoke: async (place) => {
      await importRobots(place, '');
      return importRobots(place, 'User-agent: *\nDisallow: /');
    },
  },
  bot_token_of_browser: {
    facts: () => ({ token: 'Chrome', browser: 'Chrome on Windows' }),
    provoke: (place) => addBot(place, 'Chrome'),
  },
  secret_malformed: {
    facts: () => ({ path: 'acme.secret' }),
    provoke: async (place) => {
      await createAcme(place);
      const secret = join(place.folder, 'acme.secret');
      await writeFile(secret, 'a key');
      return place.run('workspace', 'import-secret', 'acme', secret);
    },
  },
  origin_secret_malformed: {
    facts: () => ({ name: 'origin.secret' }),
    provoke: async (place) => {
      await createAcme(place);
      const secret = join(place.folder, 'origin.secret');
      await writeFile(secret, 'too short');
      const file = ['--origin-secret-file', secret];
      return place.run('hits', 'ingest', '-', '--workspace', 'acme', ...file);
    },
  },
  secret_has_hits: {
    facts: () => ({ count: 1, slug: 'acme' }),
    provoke: async (place) => {
      await ingestLine(place);
      const secret = join(place.folder, 'acme.secret');
      await writeFile(secret, '0'.repeat(64));
      return place.run('workspace', 'import-secret', 'acme', secret);
    },
  },
  list_malformed: {
    facts: (folder) => ({ path: join(folder, 'list.json'), fault: { kind: 'empty' } }),
    provoke: (place) => importList(place, [], '--list', 'openai/gptbot'),
  },
  list_unlikely: {
    facts: (folder) => ({
      id: 'openai/gptbot',
      path: join(folder, 'list.json'),
      from: 'import',
      fault: { kind: 'not_global', network: '10.0.0.0/24' },
    }),
    provoke: (place) => importList(place, ['10.0.0.0/24'], '--list', 'openai/gptbot'),
  },
  list_version_unclear: {
    facts: () => ({
      id: 'openai/gptbot',
      first: '2026-11-01T00:00:00.000Z',
      versions: [{ firstAt: '2026-11-18T00:00:00.000Z', size: 1 }],
    }),
    provoke: async (place) => {
      await importList(place, ['20.171.206.0/24'], '--list', 'openai/gptbot');
      return place.run('ranges', 'remove', 'openai/gptbot', '--first-at', '2026-11-01');
    },
  },
} as const satisfies Partial<RefusalCases>;

async function importRobots(
  place: Place,
  text: string,
  { at = '2026-11-01', encoding = 'utf8' }: { at?: string; encoding?: BufferEncoding } = {},
) {
  const path = join(place.folder, 'robots.txt');
  await writeFile(path, text, encoding);
  return runInAcme(place, 'robots', 'import', path, '--host', 'www.acme.com', '--at', at);
}

const logLine =
  '192.0.2.7 - - [20/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.3"\n';

async function ingestLine(place: Place, ...options: string[]) {
  await writeFile(join(place.folder, 'a.log'), logLine);
  return ingest(place, 'a.log', ...options);
}

function addBot(place: Place, token: string, ...options: string[]) {
  const facts = ['--company', 'Acme', '--category', 'crawler'];
  return runInAcme(place, 'bots', 'add', token, ...facts, ...options);
}

async function importList({ folder, run }: Place, networks: string[], ...options: string[]) {
  const prefixes = networks.map((ipv4Prefix) => ({ ipv4Prefix }));
  const list = JSON.stringify({ creationTime: '2026-11-18T00:00:00Z', prefixes });
  await writeFile(join(folder, 'list.json'), list);
  return run('ranges', 'import', join(folder, 'list.json'), ...options);
}

function ingest(place: Place, name: string, ...options: string[]) {
  return runInAcme(place, 'hits', 'ingest', join(place.folder, name), '--no-dns', ...options);
}
