import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/** A text to copy, with a button for it if JavaScript runs. */
export function copyableText(id: string, text: string, label: string): Html {
  return html`<div class="copyable">
    <pre tabindex="0" aria-label="${label}"><code id="${id}">${text}</code></pre>
    <copy-text for="${id}" label="Copy: ${label}"></copy-text>
  </div>`;
}
