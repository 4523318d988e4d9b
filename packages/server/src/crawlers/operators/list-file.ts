import { parseJson } from '../../values/json.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { ListFault, ListForm } from '../../refusals/operator-lists.ts';
import { isIpv4 } from '../../values/addresses/address.ts';
import { findRangeList } from '../bots/catalogue.ts';
import { parseTime } from '../formats/time.ts';
import { parseNetwork } from '../../values/addresses/networks.ts';

/** A network as the file writes it, and where it is. */
interface WrittenNetwork {
  readonly text: string;
  readonly place: string;
}

/** The form of a list. The catalogue does not have lists of proxies and of workspaces' own bots. */
export function formOf(id: string): ListForm {
  return findRangeList(id)?.form ?? 'own';
}

/**
 * Reads a list in the form in which its operator publishes it: each network once, in its normal form,
 * sorted, and the time in the file, in milliseconds since 1970. Throws a `MalformedList` if an entry is
 * not a network, because then the file is not a list: an access log, for example.
 */
export function parseListFile(
  text: string,
  form: ListForm,
  { service }: { service?: string | undefined } = {},
) {
  const unmarked = text.replace(/^\uFEFF/, '');
  const json = form === 'geofeed' ? undefined : readJson(unmarked, { form, service });
  const isText = form === 'geofeed' || form === 'own';
  const listNetworks = json?.networks ?? (isText ? readLines(unmarked) : undefined);
  if (listNetworks === undefined) throw new MalformedList({ kind: 'not_a_list', form });
  if (listNetworks.length === 0) throw new MalformedList({ kind: 'empty' });
  const prefixes = new Set(listNetworks.map((network) => spell(network, form)));
  return { prefixes: [...prefixes].toSorted(), createdMs: json?.createdMs ?? null };
}

function spell({ text, place }: WrittenNetwork, form: ListForm): string {
  const [address = ''] = text.split('/');
  const network = isIP(address) === 0 ? undefined : parseNetwork(text);
  if (network === undefined) {
    throw new MalformedList({ kind: 'not_a_network', form, place, found: text.slice(0, 60) });
  }
  const isTooWide = network.bits < (isIpv4(network.first) ? 8 : 16);
  if (isTooWide) throw new MalformedList({ kind: 'too_wide', network: text });
  return network.text;
}

/** A file that is not what its id says. The refusal also names the file. */
export class MalformedList extends Error {
  readonly fault: ListFault;

  constructor(fault: ListFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

const timeKeys = ['creationTime', 'createDate', 'syncToken'];
const networkKeys = ['ipv4Prefix', 'ipv6Prefix', 'ip_prefix', 'ipv6_prefix'];
const entries = z.array(z.unknown());
const operatorList = z.looseObject({ prefixes: entries });
/**
 * Content networks have further forms: AWS two arrays of objects, Fastly two of strings. No other key
 * is allowed, so that one object of a log is not a list.
 */
const ownList = z.strictObject({
  prefixes: entries.optional(),
  ipv6_prefixes: entries.optional(),
  addresses: entries.optional(),
  ipv6_addresses: entries.optional(),
  addresses_v6: entries.optional(),
  ...Object.fromEntries(timeKeys.map((key) => [key, z.string().optional()])),
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
  const networks = arrays.flatMap((name) => readArray(name, file[name], service));
  const createdMs = timeKeys.map((key) => parseTime(file[key])).find((ms) => ms !== undefined);
  return { networks, createdMs: createdMs ?? null };
}

const entry = z.looseObject({ service: z.string().optional() });

/** Returns an entry without a network as its JSON, so that the message can show it. */
function readArray(name: string, array: unknown, service: string | undefined): WrittenNetwork[] {
  if (!Array.isArray(array)) return [];
  return array.flatMap((item: unknown, index) => {
    const place = `entry ${index + 1} of "${name}"`;
    if (typeof item === 'string' && !name.includes('prefixes')) return [{ text: item, place }];
    const fields: Readonly<Record<string, unknown>> = entry.safeParse(item).data ?? {};
    // AWS lists all its services in one file.
    if (service !== undefined && fields['service']?.toString().startsWith(service) === false) {
      return [];
    }
    const texts = networkKeys.flatMap((key) => fields[key] ?? []);
    return (texts.length === 0 ? [item] : texts).map((text) => ({
      text: typeof text === 'string' && texts.length > 0 ? text : JSON.stringify(text),
      place,
    }));
  });
}

/** RFC 8805, section 2.1.1: `prefix,country,region,city,postal`, of which all but the first may be empty. */
const geofeedLine =
  /^([^,\s]+)\s*,\s*(?:[a-z]{2})?\s*(?:,\s*(?:[a-z]{2}-[a-z0-9]{1,3})?\s*(?:,[^,]*){0,2})?$/i;

function readLines(text: string): WrittenNetwork[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    const content = line.replace(/#.*$/, '').trim();
    if (content === '') return [];
    return [{ text: geofeedLine.exec(content)?.[1] ?? content, place: `line ${index + 1}` }];
  });
}

/**
 * Finds the JSON object that a page carries around its first `"prefixes"`, as Amazon's pages do in a
 * script. It reads the page once in either direction, so hostile pages cost little.
 */
function findEmbeddedJson(page: string): unknown {
  const text = page.replaceAll('&quot;', '"');
  const key = text.indexOf('"prefixes"');
  return parseJson(text.slice(braceAround(text, key, -1), braceAround(text, key, 1) + 1));
}

/** Where the object around a place begins (`step` is -1), or where it ends (1). */
function braceAround(text: string, place: number, step: -1 | 1): number {
  const [nearBrace, other] = step === 1 ? ['}', '{'] : ['{', '}'];
  let inner = 0;
  let index = place;
  for (; index >= 0 && index < text.length; index += step) {
    const character = text[index];
    if (character === other) inner++;
    else if (character === nearBrace && inner-- === 0) break;
  }
  return index;
}
