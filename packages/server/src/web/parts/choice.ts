import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/** A select in a form of filters. Its first choice leaves the parameter empty. */
export function filterChoice(
  name: string,
  label: string,
  {
    all,
    value,
    options,
  }: {
    all: string;
    value: string | undefined;
    options: ReadonlyArray<readonly [value: string, title: string]>;
  },
): Html {
  return html`<label
    ><span class="unseen">${label}</span><select name="${name}">
      <option value="">${all}</option>
      ${options.map(
        ([each, title]) =>
          html`<option value="${each}" ${each === value && html` selected`}>${title}</option>`,
      )}
    </select></label>`;
}
