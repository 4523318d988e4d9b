/**
 * The part of Structured Field Values (RFC 9651) that signatures use: dictionaries of inner lists,
 * strings, byte sequences, integers and tokens, with parameters. What was written is kept, because
 * signatures are over it.
 */
export type BareItem = string | number | boolean | Buffer;

export interface Item {
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
  /** As written, with its parameters. */
  readonly text: string;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: ReadonlyMap<string, BareItem>;
  readonly text: string;
}

/** Reads a dictionary; undefined where it is none. */
export function parseDictionary(text: string): ReadonlyMap<string, Item | InnerList> | undefined {
  const reader = createReader(text.trim());
  const members = new Map<string, Item | InnerList>();
  try {
    do {
      reader.skipSpaces();
      const key = reader.take(/[a-z*][a-z0-9_.*-]*/y);
      reader.take(/=/y);
      members.set(key, reader.at('(') ? readInnerList(reader) : readItem(reader));
      reader.skipSpaces();
    } while (reader.has(/,/y));
    return reader.isAtEnd() ? members : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads a single item; undefined where it is none. */
export function parseItem(text: string): Item | undefined {
  const reader = createReader(text.trim());
  try {
    const item = readItem(reader);
    return reader.isAtEnd() ? item : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let place = 0;
  return {
    take(pattern: RegExp): string {
      const found = match(pattern);
      if (found === undefined) throw new SyntaxError('Not a structured field');
      return found;
    },
    has: (pattern: RegExp): boolean => match(pattern) !== undefined,
    at: (character: string): boolean => text[place] === character,
    skipSpaces: (): void => void match(/[ \t]*/y),
    isAtEnd: (): boolean => place === text.length,
    place: (): number => place,
    since: (start: number): string => text.slice(start, place),
  };

  function match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = place;
    const found = sticky.exec(text)?.[0];
    if (found !== undefined) place += found.length;
    return found;
  }
}

function readInnerList(reader: Reader): InnerList {
  const start = reader.place();
  const items: Item[] = [];
  reader.take(/\( */y);
  while (!reader.has(/\)/y)) {
    items.push(readItem(reader));
    if (!reader.at(')')) reader.take(/ +/y);
  }
  const parameters = readParameters(reader);
  return { items, parameters, text: reader.since(start) };
}

function readItem(reader: Reader): Item {
  const start = reader.place();
  const value = readBareItem(reader);
  const parameters = readParameters(reader);
  return { value, parameters, text: reader.since(start) };
}

function readParameters(reader: Reader): ReadonlyMap<string, BareItem> {
  const parameters = new Map<string, BareItem>();
  while (reader.has(/; */y)) {
    const key = reader.take(/[a-z*][a-z0-9_.*-]*/y);
    parameters.set(key, reader.has(/=/y) ? readBareItem(reader) : true);
  }
  return parameters;
}

function readBareItem(reader: Reader): BareItem {
  if (reader.at('"')) {
    return reader
      .take(/"(?:[ !#-[\]-~]|\\["\\])*"/y)
      .slice(1, -1)
      .replaceAll(/\\(.)/g, '$1');
  }
  if (reader.at(':')) {
    return Buffer.from(reader.take(/:[A-Za-z0-9+/=]*:/y).slice(1, -1), 'base64');
  }
  if (reader.at('?')) return reader.take(/\?[01]/y) === '?1';
  const start = reader.place();
  if (reader.has(/-?\d{1,15}(?:\.\d{1,3})?/y)) return Number(reader.since(start));
  return reader.take(/[A-Za-z*][\w:/!#$%&'*+.^`|~-]*/y);
}
