import { printable } from '../../values/printable.ts';

/** Markup that is safe to send, because only `html` makes it. */
export class Html {
  readonly text: string;
  readonly #brief: (() => string) | undefined;

  constructor(text: string, brief?: () => string) {
    this.text = text;
    this.#brief = brief;
  }

  /**
   * The same with its long values cut to `briefLengthMax` characters and whole in their title, for
   * tables: browsers need up to 50 microseconds for a letter of mixed scripts, and strangers can
   * store any number of letters. The words of templates stay whole.
   */
  get brief(): Html {
    return this.#brief === undefined ? this : new Html(this.#brief());
  }
}

export const briefLengthMax = 100;
/** A page of many rows must not become too heavy by its titles. */
const titleLengthMax = 8000;

/** Values of a template. `false` and undefined become nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The end of an attribute's template, such as ` maxlength="`. */
const openAttribute = /="[^"]*$/;
const urlAttribute = /\s(?:href|src|action|formaction)="$/;

/**
 * Markup from a template. Values are escaped; those of `href`, `src` and `action` must lead to this
 * server, or to an http(s) address. Throws for a value in a place where escaping does not make it safe.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const places = placesOf(parts);
  const write = (isBrief: boolean): string => {
    let text = parts[0] ?? '';
    for (const [index, value] of values.entries()) {
      text += fill(places[index], value, isBrief) + (parts[index + 1] ?? '');
    }
    return text;
  };
  return new Html(write(false), () => write(true));
}

/** A sentence of our own as a value, which tables do not cut. */
export function ownWords(words: string): Html {
  return new Html(escapeHtml(words));
}

/**
 * The place of a template's value: in text, in a quoted attribute, in an address, or in this tag
 * outside of quotes.
 */
type Place = 'text' | 'quoted' | 'address' | { readonly tag: string };
const templates = new WeakMap<TemplateStringsArray, readonly Place[]>();

function placesOf(parts: TemplateStringsArray): readonly Place[] {
  let places = templates.get(parts);
  if (places === undefined) {
    places = parts.slice(0, -1).map((_, index) => placeAfter(parts.slice(0, index + 1).join('')));
    templates.set(parts, places);
  }
  return places;
}

function placeAfter(before: string): Place {
  const opened = before.lastIndexOf('<');
  const tag = opened > before.lastIndexOf('>') ? before.slice(opened) : undefined;
  // With an even number of quotes before it, the value is outside of a quoted attribute.
  if (tag !== undefined && tag.split('"').length % 2 === 1) return { tag };
  if (urlAttribute.test(before)) return 'address';
  return tag === undefined && !openAttribute.test(before) ? 'text' : 'quoted';
}

/** Escapes the characters that have a meaning in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

function fill(place: Place | undefined, value: Content, isBrief: boolean): string {
  if (typeof place === 'object') {
    if (value instanceof Html || value === false || value === undefined) {
      return render(value, isBrief);
    }
    throw new Error(`A value must stand in quotes: ${place.tag}`);
  }
  if (place !== 'address') return render(value, isBrief && place === 'text');
  return escapeHtml(safeUrl(typeof value === 'string' ? value : ''));
}

function render(value: Content, isBrief: boolean): string {
  if (value instanceof Html) return isBrief ? value.brief.text : value.text;
  if (value === false || value === undefined) return '';
  if (typeof value === 'string') return isBrief ? briefText(value) : escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map((each) => render(each, isBrief)).join('');
}

function briefText(text: string): string {
  const words = escapeHtml(printable(text, { lengthMax: briefLengthMax }));
  if (text.length <= briefLengthMax) return words;
  const title = escapeHtml(printable(text, { lengthMax: titleLengthMax }));
  return `<span title="${title}">${words}</span>`;
}

/** The address, or `#` for one that runs as a script or secretly leads to another site. */
function safeUrl(url: string): string {
  const isOwn = /^[/?#]/.test(url) && !/^\/[/\\]/.test(url) && !/[\t\n\r]/.test(url);
  return isOwn || /^https?:\/\/[^\s]+$/.test(url) ? url : '#';
}
