import { Html, html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { PageContext } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';
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
  const name = context.workspace?.name ?? '';
  const body = html`<main class="shared" id="content">
    <p class="brand">
      ${context.shared?.logo !== undefined && html`<img class="logo" src="${context.shared.logo}" alt="" />`}${name}
    </p>
    ${pageHead({ title, lead, content }, controls && html`<div class="tools">${controls.content}</div>`)}
    ${withoutWays(html`${content}`)}
  </main>`;
  return htmlDocument({ title: `${title}, ${name}`, assets: context.assets, body });
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
