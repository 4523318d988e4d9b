import { isIP } from 'node:net';
import { z } from 'zod';
import { CommandError } from '../../problems.ts';
import { isIpv4 } from '../address.ts';
import { findRangeList } from '../bots/catalogue.ts';
import type { ListForm } from '../bots/catalogue.ts';
import { parseTime } from '../formats/time.ts';
import { parseNetwork } from '../networks.ts';
import { parseJson } from '../../values/json.ts';
import { findEmbeddedJson } from './embedded-json.ts';

/** An operator's list of networks. */
export interface ListFile {
  /** Each network in its one spelling, once, in order. */
  readonly prefixes: readonly string[];
  /** The time that the file itself gives, in milliseconds since 1970. */
  readonly createdMs: number | null;
}

/** A network as the file writes it, and where. */
interface WrittenNetwork {
  readonly text: string;
  readonly place: string;
}

/** The form of the list of an id; `own` is that of proxies, and of the lists of workspaces' own bots. */
export function formOf(id: string): ListForm {
  return findRangeList(id)?.form ?? 'own';
}

/** What a message calls each form. */
const formWords: Readonly<Record<ListForm, string>> = {
  json: 'JSON with an array "prefixes" of objects such as {"ipv4Prefix": "20.171.206.0/24"}',
  page: 'a page that carries JSON with an array "prefixes" of objects such as {"ip_prefix": "52.70.240.171/32"}',
  geofeed: 'CSV as RFC 8805 has it: NETWORK,COUNTRY,REGION,CITY,POSTAL',
  own: 'one network a line, CSV as RFC 8805 has it, or JSON with an array "prefixes" or "addresses"',
};

/**
 * Reads a list in the form in which its operator publishes it. Every entry must be a network: a file
 * with anything else in it, such as an access log, is not a list. Throws a `CommandError` that says
 * what does not fit.
 */
export function parseListFile(
  text: string,
  form: ListForm,
  { service }: { service?: string | undefined } = {},
): ListFile {
  const unmarked = text.replace(/^\uFEFF/, '');
  const json = form === 'geofeed' ? undefined : readJson(unmarked, { form, service });
  const isText = form === 'geofeed' || form === 'own';
  const written = json?.networks ?? (isText ? readLines(unmarked) : undefined);
  if (written === undefined) {
    throw new CommandError(`It is not a list of networks. This list is ${formWords[form]}.`);
  }
  if (written.length === 0) throw new CommandError('There is no network in it.');
  const prefixes = new Set(written.map((network) => spell(network, form)));
  return { prefixes: [...prefixes].toSorted(), createdMs: json?.createdMs ?? null };
}

function spell({ text, place }: WrittenNetwork, form: ListForm): string {
  const [address = ''] = text.split('/');
  const network = isIP(address) === 0 ? undefined : parseNetwork(text);
  if (network === undefined) {
    throw new CommandError(
      `It is not a list of networks: ${place} is ${JSON.stringify(text.slice(0, 60))}. This list is ${formWords[form]}.`,
    );
  }
  if (network.bits < (isIpv4(network.first) ? 8 : 16)) {
    throw new CommandError(`${text} is too wide a network for any list.`);
  }
  return network.text;
}

const timeKeys = ['creationTime', 'createDate', 'syncToken'];
const networkKeys = ['ipv4Prefix', 'ipv6Prefix', 'ip_prefix', 'ipv6_prefix'];
const entries = z.array(z.unknown());
/** How operators of bots publish their lists. */
const operatorList = z.looseObject({ prefixes: entries });
/**
 * Content networks have further forms: AWS two arrays of objects, Fastly two of text. Nothing else may
 * be beside these, so that one object of a log is not a list.
 */
const ownList = z.strictObject({
  prefixes: entries.optional(),
  ipv6_prefixes: entries.optional(),
  addresses: entries.optional(),
  ipv6_addresses: entries.optional(),
  addresses_v6: entries.optional(),
  creationTime: z.string().optional(),
  createDate: z.string().optional(),
  syncToken: z.string().optional(),
});

function readJson(
  text: string,
  { form, service }: { form: ListForm; service: string | undefined },
): { networks: WrittenNetwork[]; createdMs: number | null } | undefined {
  const value = parseJson(text) ?? (form === 'page' ? findEmbeddedJson(text) : undefined);
  const list = form === 'own' && Array.isArray(value) ? { addresses: value } : value;
  const parsed = (form === 'own' ? ownList : operatorList).safeParse(list);
  if (!parsed.success) return undefined;
  const file: Readonly<Record<string, unknown>> = parsed.data;
  const arrays = form === 'own' ? Object.keys(ownList.shape) : ['prefixes'];
  const networks = arrays.flatMap((name) =>
    readArray(name, file[name], (item) => isOfService(item, service)),
  );
  const createdMs = timeKeys.map((key) => parseTime(file[key])).find((ms) => ms !== undefined);
  return { networks, createdMs: createdMs ?? null };
}

/** Whether an entry is of the service that is asked for: AWS lists all of its services in one file. */
function isOfService(item: unknown, service: string | undefined): boolean {
  if (service === undefined || typeof item !== 'object' || item === null) return true;
  return !('service' in item) || String(item.service).startsWith(service);
}

/** An entry without a network is returned as its JSON, so that the message can show it. */
function readArray(
  name: string,
  array: unknown,
  isWanted: (item: unknown) => boolean,
): WrittenNetwork[] {
  if (!Array.isArray(array)) return [];
  return array.filter(isWanted).flatMap((item: unknown, index) => {
    const place = `entry ${index + 1} of "${name}"`;
    if (typeof item === 'string' && !name.includes('prefixes')) return [{ text: item, place }];
    const fields = new Map<string, unknown>(
      typeof item === 'object' && item !== null ? Object.entries(item) : [],
    );
    const found = networkKeys.map((key) => fields.get(key)).filter((each) => each !== undefined);
    return (found.length === 0 ? [item] : found).map((each) => ({
      text: typeof each === 'string' && found.length > 0 ? each : JSON.stringify(each),
      place,
    }));
  });
}

/** RFC 8805, section 2.1.1: `prefix,country,region,city,postal`, of which all but the first may be empty. */
const geofeedLine =
  /^([^,\s]+)\s*,\s*(?:[a-z]{2})?\s*(?:,\s*(?:[a-z]{2}-[a-z0-9]{1,3})?\s*(?:,[^,]*){0,2})?$/i;

function readLines(text: string): WrittenNetwork[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    const written = line.replace(/#.*$/, '').trim();
    if (written === '') return [];
    return [{ text: geofeedLine.exec(written)?.[1] ?? written, place: `line ${index + 1}` }];
  });
}
