import { state, usage } from './define.ts';
import type { Words } from './define.ts';
import { plural } from '../values/plural.ts';
import { printable } from '../values/printable.ts';
import { didYouMean, noSuch, quote } from './quote.ts';

/** How an operator publishes a list of networks. `own` is any form of networks alone. */
export type ListForm = 'json' | 'page' | 'geofeed' | 'own';

/** Why a file is not a list or a key directory. */
export type ListFault =
  | { readonly kind: 'not_a_list'; readonly form: ListForm }
  | {
      readonly kind: 'not_a_network';
      readonly form: ListForm;
      readonly place: string;
      readonly found: string;
    }
  | { readonly kind: 'too_wide'; readonly network: string }
  | { readonly kind: 'too_large'; readonly bytesMax: number }
  | { readonly kind: 'in_future'; readonly at: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'no_key' }
  | { readonly kind: 'undated' };

/** Why a list is unlikely to be its operator's. */
export type ListDoubt =
  | { readonly kind: 'not_global'; readonly network: string }
  | { readonly kind: 'too_wide'; readonly network: string }
  | { readonly kind: 'visitors'; readonly singles: number }
  | { readonly kind: 'singles'; readonly singles: number }
  | { readonly kind: 'size'; readonly entries: number; readonly before: number };

export const operatorListRefusals = {
  list_unknown: usage<{ id: string; from: 'import' | 'update'; nearest: string | undefined }>(
    ({ id, from, nearest }) =>
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
  ),
  list_id_missing: usage<{ path: string }>(({ path }) => [
    `It is not known which list ${path} is.`,
    'Name it with --list OPERATOR/NAME, such as openai/gptbot.',
  ]),
  list_id_of_folder: usage<{ path: string }>(({ path }) => [
    `${path} is a folder, and --list names the list of one file.`,
    'Leave --list out: the names of the files say which list each is.',
  ]),
  list_id_malformed: usage<{ id: string }>(({ id }) => [
    `${quote(id)} is not the id of a list.`,
    'Write OPERATOR/NAME, such as openai/gptbot.',
  ]),
  list_folder_empty: state<{ path: string }>(({ path }) => [
    `There is no list in ${path}.`,
    'Name the files OPERATOR/NAME.json, .txt, .csv or .html.',
  ]),
  list_malformed: state<{ path: string | undefined; fault: ListFault }>(({ path, fault }) => {
    const [happened, advice = ''] = malformedWords(fault);
    return [notImported(path) + happened, advice];
  }),
  list_unlikely: state<{
    id: string;
    path: string | undefined;
    from: 'import' | 'update';
    fault: ListDoubt;
  }>(({ id, path, from, fault }) => [
    notImported(path) + unlikelySentence(fault),
    `If that is right: ${from === 'import' ? 'import it with --accept' : `overheard ranges update --accept ${id}`}`,
  ]),
  list_not_fetched: state<{ status?: number; timeoutSeconds?: number }>(
    ({ status, timeoutSeconds }) => {
      if (status !== undefined) return [`The server responded with status ${status}.`];
      return [
        timeoutSeconds === undefined
          ? 'The server could not be reached.'
          : `The server did not respond within ${plural(timeoutSeconds, 'second')}.`,
      ];
    },
  ),
  list_not_found: state<{ id: string }>(({ id }) => [
    noSuch('stored list', id),
    'See `overheard ranges list`.',
  ]),
  list_version_unclear: usage<{
    id: string;
    first: string | undefined;
    versions: ReadonlyArray<{ firstAt: string; size: number }>;
  }>(({ id, first, versions }) => [
    `${id} has ${first === undefined ? `${versions.length} versions` : `no version from ${first}`}.`,
    `Name one with --first-at, or remove all with --all: ${versions.map(({ firstAt, size }) => `${firstAt} (size ${size})`).join(', ')}.`,
  ]),
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
