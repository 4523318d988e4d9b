import { state, usage } from './define.ts';
import { whenForms } from '../values/time/when.ts';
import { plural } from '../values/plural.ts';
import { byItsId, noSuch, noSuchHere, quote } from './quote.ts';

/** Why `--format fields=...` cannot make a hit. */
export type FieldsFault =
  | { readonly fault: 'incomplete' }
  | { readonly fault: 'partly_keyed' }
  | { readonly fault: 'unknown_name'; readonly name: string; readonly names: readonly string[] }
  | { readonly fault: 'unknown_option'; readonly option: string };

/** A form of file that is not a log. */
export type UnreadableForm =
  | 'bzip2'
  | 'xz'
  | 'lz4'
  | 'zip'
  | '7z'
  | 'tar'
  | 'parquet'
  | 'UTF-16'
  | 'UTF-16LE'
  | 'UTF-16BE'
  | 'carriage_returns';

export const crawlerRefusals = {
  hit_not_found: state<{ word: string }>(({ word }) => [
    noSuchHere('hit', word),
    byItsId(word, 'overheard export hits --workspace SLUG'),
  ]),
  address_malformed: usage<{ text: string }>(({ text }) => [
    `${quote(text)} is not an IP address.`,
  ]),
  site_malformed: usage<{ text: string }>(({ text }) => [
    `${quote(text)} is not a host name.`,
    'Write one such as www.example.com.',
  ]),
  time_malformed: usage<{ flag: string; text: string }>(({ flag, text }) => [
    `${flag} must be ${whenForms}, not ${quote(text)}.`,
  ]),
  nat64_malformed: usage<{ text: string; lengths: readonly number[] }>(({ text, lengths }) => [
    `${quote(text)} is not a NAT64 prefix.`,
    `Write an IPv6 network of ${lengths.join(', ')} bits.`,
  ]),
  proxy_unknown: usage<{ name: string }>(({ name }) => [
    `${quote(name)} is neither a network such as 10.0.0.0/8 nor a proxy whose addresses are known.`,
    'Fetch the lists of proxies: overheard ranges update',
  ]),
  log_pattern_matches_nothing: state<{ pattern: string }>(({ pattern }) => [
    `No file matches ${quote(pattern)}.`,
  ]),
  log_cannot_be_followed: usage<{ path: string; form: keyof typeof followForms }>(
    ({ path, form }) => [
      `${path} is ${followForms[form]}, so it cannot be followed.`,
      form === 'folder' ? 'Name a file in it.' : 'Read it without --follow.',
    ],
  ),
  log_unreadable: state<{ form: UnreadableForm }>(({ form }) => {
    const { is, command } = logForms[form];
    return [
      `It is ${is}.`,
      command === undefined
        ? 'Choose JSON or W3C as the format of these logs.'
        : `Read it with: ${command} | overheard hits ingest -`,
    ];
  }),
  robots_not_text: state<{ path: string }>(({ path }) => [
    `${path} is not text in UTF-8.`,
    'Save it as UTF-8.',
  ]),
  robots_in_future: usage<{ at: string }>(({ at }) => [
    `${at} is in the future.`,
    'Say since when the file is in force.',
  ]),
  robots_moment_taken: state<{ host: string; at: string }>(({ host, at }) => [
    `There is another robots.txt of ${host} from ${at} on. Nothing was changed.`,
    `Remove it first: overheard robots remove --host ${host} --at ${at} --workspace SLUG`,
  ]),
  robots_not_found: state<{ host: string; at: string | undefined }>(({ host, at }) => [
    noSuchHere(`robots.txt ${at === undefined ? '' : `from ${at} on, `}of`, host),
    'See which there are: overheard robots list --workspace SLUG',
  ]),
  log_format_unknown: usage<{ format: string; formats: readonly string[] }>(
    ({ format, formats }) => [
      noSuch('log format', format),
      `The formats are auto, ${formats.join(', ')} and fields=...`,
    ],
  ),
  log_fields_invalid: usage<FieldsFault>((facts) => {
    switch (facts.fault) {
      case 'incomplete':
        return ['--format fields=... needs time or date, user_agent, and request or target.'];
      case 'partly_keyed':
        return [
          'In --format fields=... only some names have a key.',
          'Give every name a key (name:key) for JSON lines, or none for columns.',
        ];
      case 'unknown_name':
        return [
          `--format fields=... has no name ${quote(facts.name)}.`,
          `The names are ${facts.names.join(', ')} and -.`,
        ];
      default:
        return [
          `--format fields=... has no option ${quote(facts.option)}.`,
          'The options are separator=... and encoding=percent.',
        ];
    }
  }),
  bot_malformed: usage<{ field: string; expected: string }>(({ field, expected }) => [
    `The bot's ${field} is not valid: ${expected}.`,
  ]),
  bot_token_of_browser: usage<{ token: string; browser: string }>(({ token, browser }) => [
    `${quote(token)} is in the user agent of ${browser}, so people would be stored as this bot.`,
    'Choose a token that only the bot sends.',
  ]),
  bot_not_found: state<{ token: string }>(({ token }) => [
    noSuchHere('own bot', token),
    'See `overheard bots list --workspace SLUG`.',
  ]),
  site_not_added: state<{ domain: string; isBrands: boolean }>(({ domain, isBrands }) =>
    isBrands
      ? [
          `${domain} is a domain of the brand.`,
          `Take it from the brand: overheard subject set BRAND --remove-domain ${domain} --workspace SLUG`,
        ]
      : [noSuchHere('added site', domain), 'See `overheard sites list --workspace SLUG`.'],
  ),
  hosts_not_logged: state(() => [
    'No hit has the name of a site, because the logs do not have it. Leave --host out.',
    'Or give the hits their site: `overheard hits remove --without-host --workspace SLUG`, then `overheard hits ingest LOG --host NAME --workspace SLUG`.',
  ]),
  secret_malformed: state<{ path: string }>(({ path }) => [
    `${path} is not a secret.`,
    'Expected are the 64 hexadecimal digits that `overheard workspace export-secret` writes.',
  ]),
  origin_secret_malformed: usage<{ name: string }>(({ name }) => [
    `${name} does not hold a secret that a log can have.`,
    'Write 16 to 256 letters, digits, `-`, `.`, `_` or `~`, one secret a line: `openssl rand -hex 32` prints one.',
  ]),
  secret_has_hits: state<{ count: number; slug: string }>(({ count, slug }) => [
    `The workspace has ${count === 0 ? 'referrals' : plural(count, 'hit')} from logs that were read with another secret.`,
    `Remove them with \`overheard hits remove --read --workspace ${slug}\`, import the secret, then read the logs again.`,
  ]),
};

const followForms = {
  folder: 'a folder',
  not_a_file: 'not a regular file',
  compressed: 'compressed',
} as const;

interface LogForm {
  readonly is: string;
  readonly command?: string;
}

const logForms: Readonly<Record<UnreadableForm, LogForm>> = {
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
