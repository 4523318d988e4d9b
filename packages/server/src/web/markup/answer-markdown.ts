import { rangeInUnits } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { answerText, createWriter } from './answer-text.ts';
import type { TextMark } from './answer-text.ts';
import { html } from './html.ts';
import type { Content, Html } from './html.ts';

/** Longer answers are shown as they came, because a page is written on the server's event loop. */
const lengthMax = 40_000;
const depthMax = 6;

/** A part of the answer, in code units: a line without its end, or words of one. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Shows an answer as an app would: headings, lists, tables, quotes, code, emphasis and links of
 * Markdown, with its names marked. Every character of the answer is escaped, so HTML in it is text.
 * Links lead to http(s) addresses alone, and images are their words. What does not count is dimmed.
 */
export function answerMarkdown(
  text: string,
  marks: readonly TextMark[],
  language: string,
  counted: CountedRange,
): Html {
  if (text.length > lengthMax) return answerText(text, marks, language, counted);
  const { start, end: last } = rangeInUnits(text, counted);
  const end = Math.max(start, last);
  const write = createWriter(text, marks);
  const dimmed = (from: number, to: number): Content =>
    text.slice(from, to).trim() !== '' && html`<p class="sign">${write(from, to)}</p>`;
  const lines: Span[] = [];
  let from = start;
  for (const line of text.slice(start, end).split('\n')) {
    lines.push({ from, to: from + line.trimEnd().length });
    from += line.length + 1;
  }
  // The template writes its values from left to right, as the writer needs.
  return html`<div class="answer" dir="auto" lang="${language}">${[dimmed(0, start), ...blocks({ text, write }, lines, 0), dimmed(end, text.length)]}</div>`;
}

interface Source {
  readonly text: string;
  readonly write: (from: number, to: number) => Content;
}

const patterns = {
  fence: /^ {0,3}(```|~~~)/,
  heading: /^ {0,3}#{1,6}[ \t]+/,
  rule: /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/,
  quote: /^ {0,3}> ?/,
  item: /^[ \t]{0,12}(?:[-*+]|(\d{1,9})[.)])[ \t]+/,
  /** The line under the head of a table. */
  columns: /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*){1,100}$/,
};

/** The blocks of some lines. Deeper ones than any answer has are paragraphs. */
function blocks(source: Source, lines: readonly Span[], depth: number): Content[] {
  const { text, write } = source;
  const lineOf = (place: number): string => {
    const line = lines[place];
    return line === undefined ? '' : text.slice(line.from, line.to);
  };
  const isAt = (place: number, name: keyof typeof patterns) => patterns[name].test(lineOf(place));
  const shown: Content[] = [];
  let at = 0;
  /** Takes the lines up to the first that `isOver` refuses. */
  const take = (isOver: (place: number) => boolean): readonly Span[] => {
    const first = at;
    do at += 1;
    while (at < lines.length && !isOver(at));
    return lines.slice(first, at);
  };
  while (at < lines.length) {
    const [line] = lines.slice(at, at + 1);
    const words = lineOf(at);
    if (line === undefined || words.trim() === '') {
      at += 1;
    } else if (isAt(at, 'fence')) {
      const [, ...code] = take((place) => isAt(place, 'fence'));
      at += 1;
      const [from, to] = [code[0]?.from ?? line.to, code.at(-1)?.to ?? line.to];
      shown.push(html`<pre tabindex="0"><code>${write(from, to)}</code></pre>`);
    } else if (isAt(at, 'heading')) {
      const [sign = ''] = patterns.heading.exec(words) ?? [];
      shown.push(html`<h3>${inline(source, { from: line.from + sign.length, to: line.to })}</h3>`);
      at += 1;
    } else if (isAt(at, 'rule')) {
      shown.push(html`<hr />`);
      at += 1;
    } else if (words.includes('|') && isAt(at + 1, 'columns')) {
      shown.push(
        table(
          source,
          take((place) => !lineOf(place).includes('|')),
        ),
      );
    } else if (depth < depthMax && isAt(at, 'quote')) {
      const quoted = take((place) => !isAt(place, 'quote')).map(({ from, to }) => {
        const [sign = ''] = patterns.quote.exec(text.slice(from, to)) ?? [];
        return { from: from + sign.length, to };
      });
      shown.push(html`<blockquote>${blocks(source, quoted, depth + 1)}</blockquote>`);
    } else if (depth < depthMax && isAt(at, 'item')) {
      shown.push(list(source, { take, isAt, lineOf, first: words }, depth));
    } else {
      const isBlock = (place: number) =>
        lineOf(place).trim() === '' ||
        (['fence', 'heading', 'rule', 'quote', 'item'] as const).some((name) => isAt(place, name));
      const paragraph = take(isBlock).map((each) => [inline(source, each), html`<br />`]);
      shown.push(html`<p>${paragraph.flat().slice(0, -1)}</p>`);
    }
  }
  return shown;
}

/** A list: an item goes on with lines that are indented, and with the lines of its paragraph. */
function list(
  source: Source,
  {
    take,
    isAt,
    lineOf,
    first,
  }: {
    take: (isOver: (place: number) => boolean) => readonly Span[];
    isAt: (place: number, name: 'item' | 'heading' | 'fence') => boolean;
    lineOf: (place: number) => string;
    first: string;
  },
  depth: number,
): Html {
  const indent = indentOf(first);
  const number = patterns.item.exec(first)?.[1];
  const isDeeper = (place: number) => indentOf(lineOf(place)) > indent;
  const isBlank = (place: number) => lineOf(place).trim() === '';
  const isOver = (place: number) =>
    isBlank(place)
      ? !isDeeper(place + 1) && !isAt(place + 1, 'item')
      : !isDeeper(place) &&
        (isAt(place, 'heading') ||
          isAt(place, 'fence') ||
          (isBlank(place - 1) && !isAt(place, 'item')));
  const items: Span[][] = [];
  for (const line of take(isOver)) {
    const words = source.text.slice(line.from, line.to);
    const sign = patterns.item.exec(words)?.[0];
    if (sign !== undefined && indentOf(words) <= indent) {
      items.push([{ from: line.from + sign.length, to: line.to }]);
    } else {
      const cut = Math.min(indentOf(words), indent + 2);
      items.at(-1)?.push({ from: line.from + cut, to: line.to });
    }
  }
  const shown = items.map((lines) => html`<li>${blocks(source, lines, depth + 1)}</li>`);
  return number === undefined
    ? html`<ul>${shown}</ul>`
    : html`<ol start="${Number(number)}">${shown}</ol>`;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function table(source: Source, [head, , ...rows]: readonly Span[]): Html {
  const cells = (line: Span | undefined, write: (words: Content) => Html): Content => {
    if (line === undefined) return undefined;
    const words = source.text.slice(line.from, line.to);
    const parts = [...words.matchAll(/(?:\\.|[^|\\])+/g)].map(({ index, 0: part }) => ({
      from: line.from + index,
      to: line.from + index + part.length,
    }));
    const isSpace = ({ from, to }: Span) => source.text.slice(from, to).trim() === '';
    const isOutside = (place: number) => place === 0 || place === parts.length - 1;
    return parts
      .filter((part, place) => !isOutside(place) || !isSpace(part))
      .map((part) => write(inline(source, part)));
  };
  return html`<div class="table" tabindex="0"><table>
    <thead><tr>${cells(head, (words) => html`<th scope="col">${words}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cells(row, (words) => html`<td>${words}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** Code, images and links, bold, emphasis, struck text, addresses, line breaks and escapes. */
const signs =
  /(?<tick>`{1,2})(?<code>[^`]{1,500})\k<tick>|!?\[(?<label>[^[\]]{0,300})\]\((?<target>[^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)(?: "[^"]{0,200}")?\)|(?<two>\*\*|__|~~)(?=\S)(?<strong>.{1,500}?)(?<=\S)\k<two>|(?<![\p{L}\p{N}*_])(?<one>[*_])(?=[^\s*_])(?<em>[^*_]{1,300})(?<=\S)\k<one>(?![\p{L}\p{N}])|(?<url>https?:\/\/[^\s<>()[\]"'|]{1,500}[^\s<>()[\]"'|.,;:!?*_])|(?<br><br ?\/?>)|\\(?<escaped>[!-/:-@[-`{-~])/gu;

/** The words of a span, without the signs of Markdown. */
function inline(source: Source, { from, to }: Span, depth = 0): Content {
  const { text, write } = source;
  const parts: Content[] = [];
  let at = from;
  for (const { index, 0: whole, groups = {} } of text.slice(from, to).matchAll(signs)) {
    const { tick, code, label, target = '', two, strong, one, em, url, br, escaped } = groups;
    const words = code ?? label ?? strong ?? em ?? url ?? escaped ?? '';
    const isImage = whole.startsWith('!');
    const sign = tick ?? two ?? one ?? (label !== undefined || escaped !== undefined ? '[' : '');
    const begin = from + index + sign.length + (isImage ? 1 : 0);
    const span = { from: begin, to: begin + words.length };
    parts.push(write(at, from + index));
    const isPlain = code !== undefined || url !== undefined || depth === depthMax;
    const shown = isPlain ? write(span.from, span.to) : inline(source, span, depth + 1);
    const address = url ?? target;
    if (br !== undefined) parts.push(html`<br />`);
    else if (code !== undefined) parts.push(html`<code>${shown}</code>`);
    else if (two !== undefined)
      parts.push(two === '~~' ? html`<s>${shown}</s>` : html`<b>${shown}</b>`);
    else if (one !== undefined) parts.push(html`<em>${shown}</em>`);
    else if (escaped === undefined && !isImage && isWebAddress(address))
      parts.push(link(address, shown));
    else parts.push(shown);
    at = from + index + whole.length;
  }
  return [...parts, write(at, to)];
}

function isWebAddress(target: string): boolean {
  return /^https?:\/\//i.test(target) && URL.canParse(target);
}

function link(target: string, words: Content): Html {
  return html`<a href="${target}" rel="nofollow noreferrer">${words}</a>`;
}
