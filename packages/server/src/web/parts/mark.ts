import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/** The first letter of a name, as a sign. */
export function mark(name: string): Html {
  const letter = (Array.from(name)[0] ?? '').toUpperCase();
  return html`<span class="initial" aria-hidden="true">${letter}</span>`;
}
