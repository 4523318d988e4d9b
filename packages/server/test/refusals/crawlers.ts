import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInAcme } from './case.ts';
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
    facts: () => ({ text: 'soon' }),
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

function ingest(place: Place, name: string, ...options: string[]) {
  return runInAcme(place, 'hits', 'ingest', join(place.folder, name), '--no-dns', ...options);
}
