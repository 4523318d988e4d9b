/** Markup that is safe to send, because only `html` makes it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a template. `false` and undefined become nothing. */
export type Content = Html | string | number | false | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const urlAttribute = /\s(?:href|src|action|formaction)="$/;

/**
 * Markup from a template. Values are escaped; those of `href`, `src` and `action` must lead to this
 * server, or to an http(s) address. Throws for a value in a place where escaping does not make it safe.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const places = placesOf(parts);
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    text += fill(places[index], value) + (parts[index + 1] ?? '');
  }
  return new Html(text);
}

/**
 * The place of a template's value: in text or a quoted attribute, in an address, or in this tag
 * outside of quotes.
 */
type Place = 'quoted' | 'address' | { readonly tag: string };
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
  return urlAttribute.test(before) ? 'address' : 'quoted';
}

/** Escapes the characters that have a meaning in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

function fill(place: Place | undefined, value: Content): string {
  if (typeof place === 'object') {
    if (value instanceof Html || value === false || value === undefined) return render(value);
    throw new Error(`A value must stand in quotes: ${place.tag}`);
  }
  if (place !== 'address') return render(value);
  return escapeHtml(safeUrl(typeof value === 'string' ? value : ''));
}

function render(value: Content): string {
  if (value instanceof Html) return value.text;
  if (value === false || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(render).join('');
}

/** The address, or `#` for one that runs as a script or secretly leads to another site. */
function safeUrl(url: string): string {
  const isOwn = /^[/?#]/.test(url) && !/^\/[/\\]/.test(url) && !/[\t\n\r]/.test(url);
  return isOwn || /^https?:\/\/[^\s]+$/.test(url) ? url : '#';
}
