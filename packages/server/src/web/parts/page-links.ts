import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** Links to the previous and the next page of a list. `more` is the text of the second; undefined on the last page. */
export function pageLinks(
  page: number,
  more: string | undefined,
  link: (page: number) => string,
): Content {
  const to = (number: number, words: string): Html =>
    html`<a class="button small" href="${link(number)}">${words}</a>`;
  return (
    (page > 1 || more !== undefined) &&
    html`<p class="actions">${page > 1 && to(page - 1, 'Before')} ${more !== undefined && to(page + 1, more)}</p>`
  );
}
