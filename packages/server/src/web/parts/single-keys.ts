import type { User } from '../../people/users/user.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import { places, placesOfSettings } from './places.ts';

interface KeyGroup {
  readonly keys: readonly string[];
  readonly does: string;
}

/** The groups of keyboard shortcuts. */
export const keyGroups: readonly KeyGroup[] = [
  { keys: ['/'], does: 'search, or go to a page' },
  { keys: ['j', 'k'], does: 'next and previous row; Enter opens it' },
  {
    keys: ['g'],
    does: `then a letter: ${[...places, ...placesOfSettings].map(({ key, title }) => `${key} ${title}`).join(', ')}`,
  },
  { keys: ['[', ']'], does: 'shorter and longer period' },
  { keys: ['n'], does: 'a new prompt, competitor or key' },
  { keys: ['1', '2', '3', '4'], does: 'move the gap that has the focus' },
  { keys: ['Ctrl', 'K'], does: 'find something, or go to a page' },
  { keys: ['?'], does: 'show these keys' },
];

/** The keyboard shortcuts of every page, with their help and the list of pages that they open. */
export function singleKeys({ hasKeys }: User, slug: string | undefined): Content {
  if (!hasKeys) return undefined;
  return html`<single-keys>
    <dialog data-name="keys" aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          ${keyGroups.map(
            ({ keys, does }) =>
              html`<tr>
                <th scope="row"><kbd>${keys.join(' ')}</kbd></th>
                <td>${does}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="hint">Your own page can switch them off.</p>
      <form method="dialog"><button class="button small">Close</button></form>
    </dialog>
    <dialog data-name="pages" aria-label="Find">
      <form class="inline" ${slug === undefined ? html`method="dialog"` : html`method="get" action="/w/${slug}/find"`}>
        <input type="search" name="q" maxlength="100" aria-label="Find" autocomplete="off" /><button class="unseen">
          Find
        </button>
      </form>
      <ul></ul>
      <div data-found aria-live="polite"></div>
    </dialog>
  </single-keys>`;
}
