import { Html, html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { PageContext } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';

/** A page as a report link shows it: without navigation, forms and links into the workspace. */
export function sharedPage(
  context: PageContext,
  { title, lead, content }: { title: string; lead?: Content; content: Content },
): Html {
  const name = context.workspace?.name ?? '';
  const body = html`<main class="shared" id="content">
    <div class="head">
      <div>
        ${context.shared?.logo !== undefined && html`<img class="logo" src="${context.shared.logo}" alt="" />`}
        <p class="hint">${name}</p>
        <h1>${title}</h1>
        ${lead !== undefined && html`<p class="lead">${lead}</p>`}
      </div>
    </div>
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
