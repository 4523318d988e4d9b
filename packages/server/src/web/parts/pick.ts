import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';

/** One entry of a menu. */
export interface PickOption {
  readonly href: string;
  readonly words: string;
  readonly isOn: boolean;
  /** A key that follows the link. */
  readonly key?: string | false;
}

/**
 * A choice as a menu of links, which applies at once and shows its current entry. One menu of a
 * page is open at a time.
 */
export function pick(label: string, options: readonly PickOption[]): Html {
  const current = options.find(({ isOn }) => isOn);
  return menu(html`<span class="unseen">${label}: </span>${current?.words ?? label}`, [
    { label, options },
  ]);
}

/** Several choices in one menu, each under its label. */
export function menu(
  words: Content,
  groups: ReadonlyArray<{ readonly label: string; readonly options: readonly PickOption[] }>,
): Html {
  return html`<details class="pick" name="pick">
    <summary class="button small">${words}</summary>
    <div>
      ${groups.map(
        ({ label, options }) =>
          html`<nav aria-label="${label}">
            ${groups.length > 1 && html`<p class="hint">${label}</p>`} ${options.map(entry)}
          </nav>`,
      )}
    </div>
  </details>`;
}

function entry({ href, words, isOn, key = false }: PickOption): Html {
  return html`<a
    href="${href}"
    ${isOn && html` aria-current="true"`}${key !== false && html` data-key="${key}"`}
    >${words}</a>`;
}
