/** Whether a request was allowed; `unclear` if that depends on a query, which is not kept. */
export type Permission = 'allowed' | 'disallowed' | 'unclear';

/** The rules of one robots.txt. A bot obeys the first of its tokens that the file names. */
export interface RobotsRules {
  /** Bots that the file names; 0 if it isn't a robots.txt. */
  readonly botCount: number;
  /** Whether the bot is kept from anything. */
  restricts(tokens: readonly string[]): boolean;
  /** `isWhole` says that the path has its query, or that the request had none. */
  judge(
    tokens: readonly string[],
    path: string,
    options?: { readonly isWhole?: boolean },
  ): Permission;
}

interface Rule {
  readonly isAllow: boolean;
  readonly length: number;
  /** The texts between the stars of the pattern. */
  readonly parts: readonly string[];
  /** Whether the pattern ends with `$`. */
  readonly isWhole: boolean;
  /** What a path must match before its query can match the rest. Undefined for a rule about paths alone. */
  readonly beforeQuery: Pattern | undefined;
}

type Pattern = Pick<Rule, 'parts' | 'isWhole'>;

/** Reads a line of robots.txt: a name in lower case, and its value. */
type ReadLine = (line: string) => readonly [name: string, value: string];

/**
 * Reads robots.txt as RFC 9309 says: groups of one bot are merged, other records divide no group, the
 * longest pattern decides, and of equals one that allows. Google's bots also read what Google's own parser
 * accepts: a missing colon, frequent misspellings, and a rule about a folder's `index.html` as one about
 * the folder. https://www.rfc-editor.org/rfc/rfc9309 https://github.com/google/robotstxt
 */
export function parseRobots(text: string): RobotsRules {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const ofOthers = readGroups(lines, readStrictLine);
  const ofGoogle = readGroups(lines, readGoogleLine, { isGoogle: true });
  const rulesFor = (tokens: readonly string[]) =>
    (tokens.some((token) => /google/i.test(token)) ? ofGoogle : ofOthers).rulesFor(tokens);
  return {
    botCount: ofOthers.botCount,
    restricts: (tokens) => rulesFor(tokens).some(({ isAllow }) => !isAllow),
    judge: (tokens, path, { isWhole = path.includes('?') } = {}) =>
      isRobotsFile(path) ? 'allowed' : judge(rulesFor(tokens), path, isWhole),
  };
}

const readStrictLine: ReadLine = (line) => {
  const [, key = '', content = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? [];
  return [key.trim().toLowerCase(), content.trim()];
};

const readGoogleLine: ReadLine = (line) => {
  const [content = ''] = line.split('#', 1);
  const words = content.trim().split(/\s+/);
  const isWithoutColon = !content.includes(':') && words.length === 2;
  const [key, value] = isWithoutColon
    ? [words[0]?.toLowerCase() ?? '', words[1] ?? '']
    : readStrictLine(line);
  const name = googleNames.find(([, pattern]) => pattern.test(key))?.[0];
  return [name ?? key, value];
};

/** The beginnings that Google's parser takes for each name. */
const googleNames = [
  ['user-agent', /^user[- ]?agent/],
  ['allow', /^allow/],
  ['disallow', /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/],
] as const;

function readGroups(
  lines: readonly string[],
  readLine: ReadLine,
  { isGoogle = false }: { isGoogle?: boolean } = {},
) {
  const groups = new Map<string, Set<Rule[]>>();
  const merged = new Map<string, readonly Rule[]>();
  let rules: Rule[] = [];
  let isNaming = false;
  for (const line of lines) {
    const [name, value] = readLine(line);
    if (name === 'user-agent') {
      if (!isNaming) rules = [];
      isNaming = true;
      for (const bot of namesOf(value)) groups.set(bot, (groups.get(bot) ?? new Set()).add(rules));
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false;
      const isAllow = name === 'allow';
      if (value !== '') rules.push(makeRule(value, isAllow));
      const folder = isAllow && isGoogle ? /^(.*\/)index\.htm[^/]*$/.exec(value)?.[1] : undefined;
      if (folder !== undefined) rules.push(makeRule(`${folder}$`, isAllow));
    }
  }
  return { botCount: groups.size, rulesFor };

  function rulesFor(tokens: readonly string[]): readonly Rule[] {
    const bot =
      tokens.map((token) => token.toLowerCase()).find((token) => groups.has(token)) ?? '*';
    const botRules = merged.get(bot) ?? [...(groups.get(bot) ?? [])].flat();
    merged.set(bot, botRules);
    return botRules;
  }
}

/** Whether a path is that of the file itself, which every bot may read. */
export function isRobotsFile(path: string): boolean {
  return /^\/robots\.txt(?:$|\?)/.test(path);
}

function judge(rules: readonly Rule[], path: string, isKept: boolean): Permission {
  const target = normalise(path).replaceAll('*', '%2A').replaceAll('$', '%24');
  // Without its query a request matches some rules surely, and others only with or without a query.
  const isSure = (rule: Rule) => (isKept || !rule.isWhole) && matches(rule, target);
  const isPossible = ({ beforeQuery, ...rule }: Rule) =>
    matches(rule, target) || (!isKept && beforeQuery !== undefined && matches(beforeQuery, target));
  const mayBeAllowed = isAllowed(rules, (rule) => (rule.isAllow ? isPossible : isSure)(rule));
  const mayBeDisallowed = !isAllowed(rules, (rule) => (rule.isAllow ? isSure : isPossible)(rule));
  if (mayBeAllowed && mayBeDisallowed) return 'unclear';
  return mayBeAllowed ? 'allowed' : 'disallowed';
}

/** `GPTBot/1.0` names GPTBot; a token with a space, such as `ChatGPT Agent`, is named whole. */
function namesOf(value: string): readonly string[] {
  const [whole = ''] = value.toLowerCase().split('/');
  return [...new Set([whole.trim(), whole.trim().split(/\s/)[0] ?? ''])];
}

function makeRule(value: string, isAllow: boolean): Rule {
  const pattern = normalise(value);
  const isWhole = pattern.endsWith('$');
  const text = pattern.slice(0, isWhole ? -1 : undefined).replaceAll('$', '%24');
  const parts = text.split('*');
  return { isAllow, length: pattern.length, parts, isWhole, beforeQuery: pathPattern(text, parts) };
}

/** `/search?q=` needs a query of exactly `/search`; `/*sid=` one of any path, because paths have no `=`. */
function pathPattern(text: string, parts: readonly string[]): Pattern | undefined {
  const mark = text.indexOf('?');
  if (mark !== -1) return { parts: text.slice(0, mark).split('*'), isWhole: true };
  const first = parts.findIndex((part, place) => place > 0 && /[=&]/.test(part));
  return first === -1 ? undefined : { parts: parts.slice(0, first), isWhole: false };
}

function isAllowed(rules: readonly Rule[], isMatch: (rule: Rule) => boolean): boolean {
  const longest = { allow: -1, disallow: -1 };
  for (const rule of rules) {
    const kind = rule.isAllow ? 'allow' : 'disallow';
    if (rule.length > longest[kind] && isMatch(rule)) longest[kind] = rule.length;
  }
  return longest.allow >= longest.disallow;
}

/** Searches each part once, after the part before it, so that no pattern is slow. */
function matches({ parts, isWhole }: Pattern, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  let end = first.length;
  for (const part of others) {
    const start = path.indexOf(part, end);
    if (start === -1) return false;
    end = start + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? end === path.length : path.slice(end).endsWith(last);
}

/** One spelling of percent-encoding: unreserved characters bare, all that are not ASCII encoded. */
function normalise(text: string): string {
  return text
    .replaceAll(/[^\x21-\x7e]+/gu, (run) => encodeURIComponent(run.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    });
}
