import type { User } from '../../people/users/user.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';

interface KeyGroup {
  /** The name that is stored if a person has switched the shortcut off. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly does: string;
}

/** The groups of keyboard shortcuts. Each shortcut can be switched off. */
export const keyGroups = [
  { name: 'search', keys: ['/'], does: 'search, or go to a page' },
  { name: 'rows', keys: ['j', 'k'], does: 'next and previous row; Enter opens it' },
  { name: 'go', keys: ['g'], does: 'then the underlined letter: go to that page' },
  { name: 'period', keys: ['[', ']'], does: 'shorter and longer period' },
  { name: 'new', keys: ['n'], does: 'a new prompt, subject or key' },
  { name: 'move', keys: ['1', '2', '3', '4'], does: 'move the gap that has the focus' },
  { name: 'pages', keys: ['Ctrl', 'K'], does: 'go to a page' },
  { name: 'keys', keys: ['?'], does: 'show these keys' },
] as const satisfies readonly KeyGroup[];

/** The keyboard shortcuts of every page, with their help and the list of pages that they open. */
export function singleKeys({ keysOff }: User): Content {
  const on = keyGroups.filter(({ name }) => !keysOff.includes(name));
  if (on.length === 0) return undefined;
  const off = keyGroups.filter((group) => !on.includes(group)).flatMap(({ keys }) => keys);
  return html`<single-keys data-off="${off.join(' ')}">
    <dialog data-name="keys" aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          ${on.map(
            ({ keys, does }) =>
              html`<tr>
                <th scope="row"><kbd>${keys.join(' ')}</kbd></th>
                <td>${does}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="hint">Your own page can switch each of them off.</p>
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
