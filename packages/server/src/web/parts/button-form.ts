import { html, ownWords } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** The hidden fields of a form. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}

/** A form that a click opens, with a button that ends something for good. Screen readers say `label`. */
export function confirmForm(
  action: string,
  fields: Readonly<Record<string, string>>,
  { opens, label, hint, words }: { opens: string; label?: string; hint: string; words: string },
): Html {
  return html`<details>
    <summary class="danger"${label !== undefined && html` aria-label="${label}"`}>${opens}</summary>
    <form method="post" action="${action}">
      ${hiddenFields(fields)}
      <p class="hint">${ownWords(hint)}</p>
      <button class="button small danger">${words}</button>
    </form>
  </details>`;
}

/** A form of one button. `look` are its classes, and screen readers say `label` instead of its words. */
export function buttonForm(
  action: string,
  fields: Readonly<Record<string, string>>,
  words: Content,
  { look = 'small', label }: { look?: string; label?: string } = {},
): Html {
  return html`<form method="post" action="${action}">
    ${hiddenFields(fields)}<button class="button ${look}" ${label !== undefined && html` aria-label="${label}"`}>${words}</button>
  </form>`;
}
