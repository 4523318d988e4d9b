import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withStore } from '../../src/cli/define/with-store.ts';
import { formatNames } from '../../src/crawlers/formats/file-formats.ts';
import { updateRanges } from '../../src/crawlers/operators/update-ranges.ts';
import type { Refusal } from '../../src/refusals.ts';
import { createAcme, refusedIn, runInAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const crawlerCases = {
  hit_not_found: {
    facts: () => ({ word: '0190e4a6' }),
    provoke: (place) => runInAcme(place, 'hits', 'explain', '0190e4a6'),
  },
  address_malformed: {
    facts: () => ({ text: 'nowhere' }),
    provoke: (place) => runInAcme(place, 'bots', 'explain', 'GPTBot/1.3', '--ip', 'nowhere'),
  },
  site_malformed: {
    facts: () => ({ text: 'a b' }),
    provoke: (place) => ingest(place, 'a.log', '--host', 'a b'),
  },
  time_malformed: {
    facts: () => ({ flag: '--since', text: 'soon' }),
    provoke: (place) => ingest(place, 'a.log', '--since', 'soon'),
  },
  nat64_malformed: {
    facts: () => ({ text: '10.0.0.0/8', lengths: [32, 40, 48, 56, 64, 96] }),
    provoke: (place) => ingest(place, 'a.log', '--nat64', '10.0.0.0/8'),
  },
  proxy_unknown: {
    facts: () => ({ name: 'cloud' }),
    provoke: (place) => ingest(place, 'a.log', '--trust-forwarded', 'cloud'),
  },
  log_pattern_matches_nothing: {
    facts: (folder) => ({ pattern: join(folder, 'x*.log') }),
    provoke: (place) => ingest(place, 'x*.log'),
  },
  log_cannot_be_followed: {
    facts: (folder) => ({ path: join(folder, '.'), form: 'folder' }),
    provoke: (place) => ingest(place, '.', '--follow'),
  },
  log_unreadable: {
    facts: () => ({ form: 'bzip2' }),
    provoke: async (place) => {
      await writeFile(join(place.folder, 'a.log'), 'BZh9');
      return ingest(place, 'a.log');
    },
  },
  robots_not_text: {
    facts: () => ({ path: 'robots.txt' }),
    provoke: (place) => importRobots(place, '\ufeffUser', { encoding: 'utf16le' }),
  },
  robots_in_future: {
    facts: () => ({ at: '2999-01-01T00:00:00.000Z' }),
    provoke: (place) => importRobots(place, '', { at: '2999-01-01' }),
  },
  robots_moment_taken: {
    facts: () => ({ host: 'www.acme.com', at: '2026-11-01T00:00:00.000Z' }),
    provoke: async (place) => {
      await importRobots(place, '');
      return importRobots(place, 'User-agent: *\nDisallow: /');
    },
  },
  robots_not_found: {
    facts: () => ({ host: 'www.acme.com', at: undefined }),
    provoke: (place) => runInAcme(place, 'robots', 'remove', '--host', 'www.acme.com', '--all'),
  },
  log_format_unknown: {
    facts: () => ({ format: 'apache', formats: formatNames }),
    provoke: (place) => ingestLine(place, '--format', 'apache'),
  },
  log_fields_invalid: {
    facts: () => ({ fault: 'incomplete' }),
    provoke: (place) => ingestLine(place, '--format', 'fields=time'),
  },
  bot_malformed: {
    facts: () => ({ field: 'agent', expected: 'write a host name such as agent.example.com' }),
    provoke: (place) => addBot(place, 'AcmeFetch', '--agent', 'not a host'),
  },
  bot_token_of_browser: {
    facts: () => ({ token: 'Chrome', browser: 'Chrome on Windows' }),
    provoke: (place) => addBot(place, 'Chrome'),
  },
  bot_not_found: {
    facts: () => ({ token: 'AcmeFetch' }),
    provoke: (place) => runInAcme(place, 'bots', 'remove', 'AcmeFetch'),
  },
  hosts_not_logged: {
    facts: () => ({}),
    provoke: async (place) => {
      await ingestLine(place);
      return place.run('crawls', '--host', 'www.acme.com', '--workspace', 'acme');
    },
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
  secret_has_hits: {
    facts: () => ({ count: 1, slug: 'acme' }),
    provoke: async (place) => {
      await ingestLine(place);
      const secret = join(place.folder, 'acme.secret');
      await writeFile(secret, '0'.repeat(64));
      return place.run('workspace', 'import-secret', 'acme', secret);
    },
  },
  list_unknown: {
    facts: () => ({ id: 'openai/gptbod', from: 'import', nearest: 'openai/gptbot' }),
    provoke: (place) => importList(place, ['10.0.0.0/8'], '--list', 'openai/gptbod'),
  },
  list_id_missing: {
    facts: (folder) => ({ path: join(folder, 'list.json') }),
    provoke: (place) => importList(place, ['10.0.0.0/8']),
  },
  list_id_of_folder: {
    facts: (folder) => ({ path: folder }),
    provoke: ({ folder, run }) => run('ranges', 'import', folder, '--list', 'openai/gptbot'),
  },
  list_id_malformed: {
    facts: () => ({ id: 'gptbot' }),
    provoke: (place) => importList(place, ['10.0.0.0/8'], '--list', 'gptbot'),
  },
  list_folder_empty: {
    facts: (folder) => ({ path: folder }),
    provoke: ({ folder, run }) => run('ranges', 'import', folder),
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
  list_not_fetched: {
    facts: () => ({}),
    provoke: ({ url }) => {
      const work = withStore(
        url,
        async (store) => {
          const problems: Refusal[] = [];
          await updateRanges(store, {
            files: [{ id: 'openai/gptbot', url: 'https://example.com/' }],
            fetch: () => Promise.reject(new TypeError('fetch failed')),
            clock: Date.now,
            signal: new AbortController().signal,
            words: (refusal) => String(problems.push(refusal)),
          });
          throw problems[0] ?? new Error('The fetch did not fail');
        },
        { mayCreate: true },
      );
      return refusedIn(work);
    },
  },
  list_not_found: {
    facts: () => ({ id: 'openai/gptbot' }),
    provoke: (place) => runAfter(place, 'ranges', 'remove', 'openai/gptbot'),
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

async function runAfter(place: Place, ...args: string[]) {
  await createAcme(place);
  return place.run(...args);
}

function ingest(place: Place, name: string, ...options: string[]) {
  return runInAcme(place, 'hits', 'ingest', join(place.folder, name), '--no-dns', ...options);
}
