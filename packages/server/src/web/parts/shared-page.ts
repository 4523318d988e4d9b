import { Html, html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { PageContext, SharedPage } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';
import { mark } from './mark.ts';
import { dayWords } from './moment-words.ts';
import { pageHead } from './page-head.ts';
import type { Controls } from './view-controls.ts';

/** A page as a report link shows it: without navigation, forms and links into the workspace. */
export function sharedPage(
  context: PageContext,
  {
    title,
    lead,
    controls,
    content,
  }: {
    readonly title: string;
    readonly lead?: Content;
    readonly controls?: Controls;
    readonly content: Content;
  },
): Html {
  const { shared, workspace, assets } = context;
  const name = workspace?.name ?? '';
  const head = {
    title: `${name} in AI answers: ${title}`,
    lead: html`${lead}<br />${shared && sharedWords(shared)}`,
    content,
  };
  const tools = html`<div class="tools"><print-page></print-page>${controls?.content}</div>`;
  const body = html`<main class="shared" id="content">
    ${pageHead(head, tools, shared?.logo === undefined ? mark(name) : html`<img class="logo" src="${shared.logo}" alt="" />`)}
    ${withoutWays(html`${content}`)}
    <footer><p class="hint">Measured with Overheard.</p></footer>
  </main>`;
  return htmlDocument({ title: `${title}, ${name}`, assets, body });
}

/** Who shared the page, and until when. */
function sharedWords({ by, until = '' }: SharedPage): string {
  return `Shared${by === undefined ? '' : ` by ${by}`}, until ${dayWords(until)}.`;
}

/**
 * Attributes contain no `>`, because the template escapes it. A closing tag may have spaces before
 * its end.
 */
const ways = [/<nav\b.*?<\/nav\s*>/gs, /<form\b.*?<\/form\s*>/gs];
const link = /<a\b[^>]*\bhref="\/(?!s\/)[^"]*"[^>]*>(.*?)<\/a\s*>/gs;

/** Replaces links into the workspace with their text, for any page. */
function withoutWays({ text }: Html): Html {
  const left = ways.reduce((markup, way) => markup.replaceAll(way, ''), text);
  return new Html(left.replaceAll(link, '$1'));
}
