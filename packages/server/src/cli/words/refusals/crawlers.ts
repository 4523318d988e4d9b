import type { RefusalFacts } from '../../../refusals.ts';
import { whenForms } from '../../../values/when.ts';
import { quoted } from './quoted.ts';
import type { WordTable } from './word-table.ts';

export const crawlerWords = {
  hit_not_found: ({ word }) => [
    `There is no hit ${quoted(word)} in this workspace.`,
    'See `overheard export hits --workspace SLUG` for the ids.',
  ],
  address_malformed: ({ text }) => [`${quoted(text)} is not an IP address.`],
  site_malformed: ({ text }) => [
    `${quoted(text)} is not a host name.`,
    'Write one such as www.example.com.',
  ],
  time_malformed: ({ text }) => [`${quoted(text)} is not a time.`, `Write ${whenForms}.`],
  nat64_malformed: ({ text, lengths }) => [
    `${quoted(text)} is not a NAT64 prefix.`,
    `Write an IPv6 network of ${lengths.join(', ')} bits.`,
  ],
  proxy_unknown: ({ name }) => [
    `${quoted(name)} is neither a network such as 10.0.0.0/8 nor a proxy whose addresses are known.`,
    'Fetch the lists of proxies: overheard ranges update',
  ],
  log_pattern_matches_nothing: ({ pattern }) => [`No file matches ${quoted(pattern)}.`],
  log_cannot_be_followed: ({ path, form }) => [
    `${path} is ${followForms[form]}, so it cannot be followed.`,
    form === 'folder' ? 'Name a file in it.' : 'Read it without --follow.',
  ],
  log_unreadable: ({ form }) => {
    const { is, command } = logForms[form];
    return [
      `It is ${is}.`,
      command === undefined
        ? 'Choose JSON or W3C as the format of these logs.'
        : `Read it with: ${command} | overheard hits ingest -`,
    ];
  },
  robots_not_text: ({ path }) => [`${path} is not text in UTF-8.`, 'Save it as UTF-8.'],
  robots_in_future: ({ at }) => [`${at} is in the future.`, 'Say since when the file is in force.'],
  robots_moment_taken: ({ host, at }) => [
    `There is another robots.txt of ${host} from ${at} on. Nothing was changed.`,
    `Remove it first: overheard robots remove --host ${host} --at ${at} --workspace SLUG`,
  ],
  robots_not_found: ({ host, at }) => [
    `There is no robots.txt of ${host}${at === undefined ? '' : ` from ${at} on`}.`,
    'See which there are: overheard robots list --workspace SLUG',
  ],
} as const satisfies Partial<WordTable>;

const followForms = {
  folder: 'a folder',
  not_a_file: 'not a regular file',
  compressed: 'compressed',
} as const satisfies Readonly<Record<RefusalFacts['log_cannot_be_followed']['form'], string>>;

interface LogForm {
  readonly is: string;
  readonly command?: string;
}

const logForms: Readonly<Record<RefusalFacts['log_unreadable']['form'], LogForm>> = {
  bzip2: { is: 'compressed with bzip2', command: 'bzcat FILE' },
  xz: { is: 'compressed with xz', command: 'xzcat FILE' },
  lz4: { is: 'compressed with lz4', command: 'lz4cat FILE' },
  zip: { is: 'a zip archive', command: 'unzip -p FILE' },
  '7z': { is: 'a 7z archive', command: '7z x -so FILE' },
  tar: { is: 'a tar archive', command: 'tar -xOf FILE' },
  parquet: { is: 'a Parquet file' },
  'UTF-16': { is: 'in UTF-16', command: 'iconv -f UTF-16 -t UTF-8 FILE' },
  'UTF-16LE': { is: 'in UTF-16', command: 'iconv -f UTF-16LE -t UTF-8 FILE' },
  'UTF-16BE': { is: 'in UTF-16', command: 'iconv -f UTF-16BE -t UTF-8 FILE' },
  carriage_returns: {
    is: 'a file whose lines end with a carriage return alone',
    command: String.raw`tr '\r' '\n' < FILE`,
  },
};
