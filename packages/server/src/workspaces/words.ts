import { Refusal } from '../refusals.ts';
import type { TextField } from '../refusals/workspaces.ts';
import { isIP } from 'node:net';
import type { RefusalFacts } from '../refusals.ts';
import { isSharedHost, placesOf, placeText } from '../values/sites/owned-path.ts';
import { matchesEmpty } from '../values/alias.ts';
import type { Alias } from '../values/alias.ts';

/** Characters that no name needs and that could forge a line of a log or a terminal's colours. */
const control = /[\p{Cc}\u2028\u2029]/u;

/**
 * Brings a line of text into stored form: NFC, trimmed, with single spaces. Throws a `Refusal` for
 * text that is empty, longer than `lengthMax` characters, not well-formed or has control
 * characters.
 */
export function cleanText(
  text: string,
  { field, lengthMax }: { field: TextField; lengthMax: number },
): string {
  if (!text.isWellFormed() || text.includes('\u{FFFD}')) {
    throw new Refusal('text_not_well_formed', { field });
  }
  // Check this before trimming, because line ends are white space, too.
  if (control.test(text)) throw new Refusal('text_has_control_characters', { field });
  const clean = text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (clean === '') throw new Refusal('text_empty', { field });
  if (Array.from(clean).length > lengthMax) {
    throw new Refusal('text_too_long', { field, lengthMax });
  }
  return clean;
}

/** The normal form by which two texts are the same name: NFKC, lower case, single spaces. */
export function fold(text: string): string {
  // Lower case may not be in normal form. Normalise again, so that folding twice gives the same as
  // once.
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFKC');
  // Treat a final or lunate sigma like any other sigma.
  return lower.replaceAll('ς', 'σ').trim().replaceAll(/\s+/g, ' ');
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const domainLengthMax = 253;

/**
 * Brings a domain into stored form: `acme.com`, lower-case, IDNA in ASCII, without `www.`. Accepts
 * a pasted address such as `https://www.acme.com/pricing`, but not a path on a site that many
 * share. A domain includes its subdomains. Throws a `Refusal` for anything but a public host name.
 */
export function parseDomain(text: string): string {
  const clean = cleanText(text, { field: 'domain', lengthMax: 2000 });
  // URL's parser applies IDNA, percent decoding and every spelling of an IPv4 address.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw domainRefusal(text, 'no_host_name');
  }
  if (url.port !== '') throw domainRefusal(text, 'has_port');
  if (url.pathname !== '/' && isSharedHost(url.hostname)) {
    throw new Refusal('domain_is_shared_site', { text });
  }
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) {
    throw domainRefusal(text, 'is_address');
  }
  const domain = /^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : host;
  const labels = domain.split('.');
  if (labels.length < 2) throw domainRefusal(text, 'has_no_dot');
  const isHostName = labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
  if (!isHostName || domain.length > domainLengthMax) {
    throw domainRefusal(text, 'bad_label');
  }
  return domain;
}

function domainRefusal(text: string, fault: RefusalFacts['domain_malformed']['fault']): Refusal {
  return new Refusal('domain_malformed', { text, fault });
}

const pathLengthMax = 500;

/**
 * Brings an owned path into stored form: `github.com/acme`, which `placesOf` compares. Accepts a
 * pasted address such as `https://www.github.com/Acme/?tab=repositories`. A path includes
 * everything below it. Throws a `Refusal` for an address that has no path or cannot be on the web.
 */
export function parsePath(text: string): string {
  const clean = cleanText(text, { field: 'path', lengthMax: 2000 });
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new Refusal('path_malformed', { text, fault: 'no_web_address' });
  }
  if (url.port !== '') throw new Refusal('path_malformed', { text, fault: 'has_port' });
  // The host must be one that a domain could have.
  const domain = parseDomain(url.hostname);
  const [place] = placesOf(url);
  if (place.segments.length === 0) throw new Refusal('path_is_whole_site', { text, domain });
  const path = placeText(place);
  if (path.length > pathLengthMax) {
    throw new Refusal('text_too_long', { field: 'path', lengthMax: pathLengthMax });
  }
  return path;
}

export const nameLengthMax = 200;
const patternLengthMax = 500;

/** Brings an alias into stored form. Throws a `Refusal` for text that cannot be an alias. */
export function parseAlias({ alias, match }: Alias): Alias {
  if (match === 'pattern') return { alias: parsePattern(alias), match };
  return { alias: cleanText(alias, { field: 'alias', lengthMax: nameLengthMax }), match };
}

/**
 * The unique form of an alias in its workspace. A pattern is compared exactly, because its case
 * matters.
 */
export function aliasKey({ alias, match }: Alias): string {
  return match === 'pattern' ? alias : fold(alias);
}

function parsePattern(text: string): string {
  const pattern = cleanText(text, { field: 'alias_pattern', lengthMax: patternLengthMax });
  if (isEmptyMatch(pattern)) throw new Refusal('alias_pattern_matches_nothing', { pattern });
  return pattern;
}

function isEmptyMatch(pattern: string): boolean {
  try {
    return matchesEmpty(pattern);
  } catch (error) {
    throw new Refusal('alias_pattern_invalid', { pattern }, { cause: error });
  }
}

/** The words of a subject as a person gave them. */
export interface SubjectWords {
  readonly name: string;
  readonly aliases?: readonly Alias[];
  /** Host names or pasted addresses. */
  readonly domains?: readonly string[];
  /** Paths on third-party sites, such as `github.com/acme`. */
  readonly paths?: readonly string[];
}

/** The words of a subject in normal form, without repetitions. */
export interface ParsedWords {
  readonly name: string;
  /** The name and every alias: unique by `folded`. */
  readonly aliases: ReadonlyArray<Alias & { readonly folded: string }>;
  readonly domains: readonly string[];
  readonly paths: readonly string[];
}

const wordsMax = 200;

/**
 * Brings the words of a subject into stored form. An alias that repeats the name decides how the
 * name is matched. Throws a `Refusal` for words that cannot be stored or contradict each other.
 */
export function parseSubjectWords({
  name,
  aliases = [],
  domains = [],
  paths = [],
}: SubjectWords): ParsedWords {
  const cleanName = cleanText(name, { field: 'name', lengthMax: nameLengthMax });
  const parsed: ParsedWords = {
    name: cleanName,
    aliases: uniqueAliases(cleanName, aliases.map(parseAlias)),
    domains: [...new Set(domains.map(parseDomain))].toSorted(),
    paths: [...new Set(paths.map(parsePath))].toSorted(),
  };
  if (Math.max(parsed.aliases.length, parsed.domains.length, parsed.paths.length) > wordsMax) {
    throw new Refusal('subject_words_too_many', { countMax: wordsMax });
  }
  return parsed;
}

/** The aliases that a person gave, without the row of the name itself. */
export function givenAliases(name: string, aliases: readonly Alias[]): Alias[] {
  return aliases
    .filter(({ alias, match }) => match !== 'default' || fold(alias) !== fold(name))
    .map(({ alias, match }) => ({ alias, match }));
}

function uniqueAliases(name: string, aliases: readonly Alias[]): ParsedWords['aliases'] {
  const nameKey = fold(name);
  const unique = new Map<string, Alias>();
  for (const alias of aliases) {
    const key = aliasKey(alias);
    const other = unique.get(key);
    if (other === undefined) unique.set(key, alias);
    else refuseContradiction(alias, other);
  }
  const ofName = unique.get(nameKey);
  if (ofName === undefined || ofName.match === 'default') {
    unique.set(nameKey, { alias: name, match: 'default' });
  }
  return [...unique]
    .map(([folded, alias]) => ({ ...alias, folded }))
    .toSorted((left, right) => (left.folded < right.folded ? -1 : 1));
}

function refuseContradiction(alias: Alias, other: Alias): void {
  if (alias.match === other.match && (alias.match !== 'exact' || alias.alias === other.alias))
    return;
  throw new Refusal('aliases_contradict', { aliases: [other, alias] });
}
