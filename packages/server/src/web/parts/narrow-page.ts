import type { Assets } from '../assets.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { htmlDocument } from './document.ts';

/** A page for people who are not signed in: one column, one thing to do. */
export function narrowPage({
  title,
  assets,
  content,
}: {
  title: string;
  assets: Assets;
  content: Content;
}): Html {
  return htmlDocument({
    title,
    assets,
    body: html`<main class="narrow">
      <p class="brand"><span class="initial" aria-hidden="true">O</span>Overheard</p>
      <section class="panel">
        <h1>${title}</h1>
        ${content}
      </section>
    </main>`,
  });
}
