import { html } from '../html.ts';
import type { Html } from '../html.ts';

const keys: ReadonlyArray<readonly [key: string, does: string]> = [
  ['/', 'search, or go to a page'],
  ['j k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['g', 'then the underlined letter: go to that page'],
  ['[ ]', 'shorter and longer period'],
  ['Ctrl K', 'go to a page'],
  ['?', 'show these keys'],
];

/** The keys of every page: what they do, and the list of pages that they open. */
export function singleKeys(): Html {
  return html`<single-keys>
    <dialog data-name="keys" aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          ${keys.map(
            ([key, does]) =>
              html`<tr>
                <th scope="row"><kbd>${key}</kbd></th>
                <td>${does}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="hint">Your own page can switch them off.</p>
      <form method="dialog"><button class="button small">Close</button></form>
    </dialog>
    <dialog data-name="pages" aria-label="Go to a page">
      <form class="inline" method="dialog">
        <input type="search" aria-label="Page" autocomplete="off" /><button class="unseen">
          Go
        </button>
      </form>
      <ul></ul>
    </dialog>
  </single-keys>`;
}
