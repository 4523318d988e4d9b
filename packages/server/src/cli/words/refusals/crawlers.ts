import type { ListDoubt, ListFault, UnreadableForm } from '../../../faults.ts';
import type { RefusalFacts } from '../../../refusals.ts';
import { printable } from '../../../values/printable.ts';
import { whenForms } from '../../../values/time/when.ts';
import { plural } from '../../../values/plural.ts';
import { byItsId, didYouMean, noSuch, noSuchHere, quote } from './quote.ts';
import type { WordTable, Words } from './word-table.ts';

export const crawlerWords = {
  hit_not_found: ({ word }) => [
    noSuchHere('hit', word),
    byItsId(word, 'overheard export hits --workspace SLUG'),
  ],
  address_malformed: ({ text }) => [`${quote(text)} is not an IP address.`],
  site_malformed: ({ text }) => [
    `${quote(text)} is not a host name.`,
    'Write one such as www.example.com.',
  ],
  time_malformed: ({ flag, text }) => [`${flag} must be ${whenForms}, not ${quote(text)}.`],
  nat64_malformed: ({ text, lengths }) => [
    `${quote(text)} is not a NAT64 prefix.`,
    `Write an IPv6 network of ${lengths.join(', ')} bits.`,
  ],
  proxy_unknown: ({ name }) => [
    `${quote(name)} is neither a network such as 10.0.0.0/8 nor a proxy whose addresses are known.`,
    'Fetch the lists of proxies: overheard ranges update',
  ],
  log_pattern_matches_nothing: ({ pattern }) => [`No file matches ${quote(pattern)}.`],
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
    noSuchHere(`robots.txt ${at === undefined ? '' : `from ${at} on, `}of`, host),
    'See which there are: overheard robots list --workspace SLUG',
  ],
  log_format_unknown: ({ format, formats }) => [
    noSuch('log format', format),
    `The formats are auto, ${formats.join(', ')} and fields=...`,
  ],
  log_fields_invalid: (facts) => {
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
  },
  bot_malformed: ({ field, expected }) => [`The bot's ${field} is not valid: ${expected}.`],
  bot_token_of_browser: ({ token, browser }) => [
    `${quote(token)} is in the user agent of ${browser}, so people would be stored as this bot.`,
    'Choose a token that only the bot sends.',
  ],
  bot_not_found: ({ token }) => [
    noSuchHere('own bot', token),
    'See `overheard bots list --workspace SLUG`.',
  ],
  hosts_not_logged: () => [
    'No hit has the name of a site, because the logs do not have it. Leave --host out.',
    'Or give the hits their site: `overheard hits remove --without-host --workspace SLUG`, then `overheard hits ingest LOG --host NAME --workspace SLUG`.',
  ],
  secret_malformed: ({ path }) => [
    `${path} is not a secret.`,
    'Expected are the 64 hexadecimal digits that `overheard workspace export-secret` writes.',
  ],
  secret_has_hits: ({ count, slug }) => [
    `The workspace has ${count === 0 ? 'referrals' : plural(count, 'hit')} from logs that were read with another secret.`,
    `Remove them with \`overheard hits remove --read --workspace ${slug}\`, import the secret, then read the logs again.`,
  ],
  list_unknown: ({ id, from, nearest }) =>
    from === 'import'
      ? [
          `No bot uses a list ${quote(id)}, so nothing was imported.`,
          didYouMean(
            nearest,
            `For a bot of your own, add the bot first: overheard bots add TOKEN --list ${id}`,
          ),
        ]
      : [
          `No operator publishes a list ${quote(id)}, so nothing was fetched.`,
          didYouMean(nearest, 'See `overheard ranges list`.'),
        ],
  list_id_missing: ({ path }) => [
    `It is not known which list ${path} is.`,
    'Name it with --list OPERATOR/NAME, such as openai/gptbot.',
  ],
  list_id_of_folder: ({ path }) => [
    `${path} is a folder, and --list names the list of one file.`,
    'Leave --list out: the names of the files say which list each is.',
  ],
  list_id_malformed: ({ id }) => [
    `${quote(id)} is not the id of a list.`,
    'Write OPERATOR/NAME, such as openai/gptbot.',
  ],
  list_folder_empty: ({ path }) => [
    `There is no list in ${path}.`,
    'Name the files OPERATOR/NAME.json, .txt, .csv or .html.',
  ],
  list_malformed: ({ path, fault }) => {
    const [happened, advice = ''] = malformedWords(fault);
    return [notImported(path) + happened, advice];
  },
  list_unlikely: ({ id, path, from, fault }) => [
    notImported(path) + unlikelySentence(fault),
    `If that is right: ${from === 'import' ? 'import it with --accept' : `overheard ranges update --accept ${id}`}`,
  ],
  list_not_fetched: ({ status, timeoutSeconds }) => {
    if (status !== undefined) return [`The server responded with status ${status}.`];
    return [
      timeoutSeconds === undefined
        ? 'The server could not be reached.'
        : `The server did not respond within ${plural(timeoutSeconds, 'second')}.`,
    ];
  },
  list_not_found: ({ id }) => [noSuch('stored list', id), 'See `overheard ranges list`.'],
  list_version_unclear: ({ id, first, versions }) => [
    `${id} has ${first === undefined ? `${versions.length} versions` : `no version from ${first}`}.`,
    `Name one with --first-at, or remove all with --all: ${versions.map(({ firstAt, size }) => `${firstAt} (size ${size})`).join(', ')}.`,
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

const listForms = {
  json: 'JSON with an array "prefixes" of objects such as {"ipv4Prefix": "20.171.206.0/24"}',
  page: 'a page with JSON that has an array "prefixes" of objects such as {"ip_prefix": "52.70.240.171/32"}',
  geofeed: 'CSV of RFC 8805: NETWORK,COUNTRY,REGION,CITY,POSTAL',
  own: 'one network a line, CSV of RFC 8805, or JSON with an array "prefixes" or "addresses"',
} as const;

function notImported(path: string | undefined): string {
  return path === undefined ? '' : `${path} was not imported, nor any other file. `;
}

function malformedWords(fault: ListFault): Words {
  switch (fault.kind) {
    case 'not_a_list':
      return ['It is not a list of networks.', `This list is ${listForms[fault.form]}.`];
    case 'not_a_network':
      return [
        `It is not a list of networks: ${fault.place} is ${JSON.stringify(printable(fault.found))}.`,
        `This list is ${listForms[fault.form]}.`,
      ];
    case 'too_wide':
      return [`${fault.network} is too wide a network for any list.`];
    case 'too_large':
      return [`It is larger than ${fault.bytesMax / 1e6} MB.`];
    case 'in_future':
      return [`It was in force at ${fault.at}, which is in the future.`];
    case 'empty':
      return ['It has no network.'];
    case 'no_key':
      return ['It has no Ed25519 key.'];
    default:
      return ['It does not say when it was made.', 'Add --fetched-at.'];
  }
}

function unlikelySentence(fault: ListDoubt): string {
  switch (fault.kind) {
    case 'not_global':
      return `${fault.network} is not a network of the internet.`;
    case 'too_wide':
      return `${fault.network} is too wide for an operator of bots.`;
    case 'visitors':
      return `It has ${plural(fault.singles, 'single address', 'single addresses')}, like the visitors in a log.`;
    case 'singles':
      return `It has ${plural(fault.singles, 'single address', 'single addresses')}; the version before it has none.`;
    default:
      return `It has ${plural(fault.entries, 'entry', 'entries')}; the version before it has ${fault.before}.`;
  }
}
