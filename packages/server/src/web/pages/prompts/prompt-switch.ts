import { promptCharactersMax } from '../../../collect/ledger/prompts-to-ask.ts';
import type { PromptState } from '../../../reports/prompt-pages/prompt-list.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** The switches of prompts, with the labels of their buttons. */
export const promptSwitches = {
  'collect-on': { what: 'collect', isOn: true, title: 'Ask engines', kind: 'prompts_collected' },
  'collect-off': {
    what: 'collect',
    isOn: false,
    title: 'Do not ask',
    kind: 'prompts_not_collected',
  },
  'active-on': { what: 'active', isOn: true, title: 'Make active', kind: 'prompts_activated' },
  'active-off': {
    what: 'active',
    isOn: false,
    title: 'Make inactive',
    kind: 'prompts_deactivated',
  },
} as const;

/** What the form of prompts does with the tag that a person typed. */
export const tagChanges = {
  tag: 'Add tag',
  topic: 'Make it the topic',
  untag: 'Remove tag',
} as const;

function doButton(name: string, title: string): Html {
  return html`<button class="button small" name="do" value="${name}">${title}</button>`;
}

/**
 * The field for a tag, which proposes those of the workspace, and its buttons. It must come before
 * other buttons, because Enter in the field presses the first one of the form.
 */
export function tagFields(tags: readonly string[]): Html {
  return html`<div class="actions">
    <label class="unseen" for="tag">Tag or topic</label>
    <input id="tag" name="tag" type="text" list="tags" maxlength="60" placeholder="Tag or topic" autocomplete="off" />
    <datalist id="tags">${tags.map((tag) => html`<option value="${tag}"></option>`)}</datalist>
    ${Object.entries(tagChanges).map(([name, title]) => doButton(name, title))}
  </div>`;
}

const hint = (context: WorkspaceContext): Html =>
  html`<p class="hint">
    Asking engines <a href="/w/${context.workspace.slug}/settings/collection">costs money</a>. Inactive
    prompts are kept, and no engine is asked, nor about prompts of more than
    ${thousands(promptCharactersMax)} characters.
  </p>`;

/**
 * The buttons under a list of prompts with checkboxes. `total` is the number of prompts if one page
 * does not show all.
 */
export function switchButtons(
  context: WorkspaceContext,
  { total, tags }: { total: number | undefined; tags: readonly string[] },
): Html {
  return html`${tagFields(tags)}
    <div class="actions">
      ${
        total !== undefined &&
        html`<span class="check"><input type="checkbox" id="which" name="which" value="all" /><label for="which">All ${amount(total, 'prompt')} of this list, not only the ticked ones</label></span>`
      }
      ${Object.entries(promptSwitches).map(([name, { title }]) => doButton(name, title))}
    </div>
    ${hint(context)}`;
}

/** The buttons of one prompt. */
export function onePromptButtons(
  context: WorkspaceContext,
  { id, active, collected }: PromptState,
  { action, tags }: { action: string; tags: readonly string[] },
): Html {
  const wanted = [
    collected ? 'collect-off' : 'collect-on',
    active ? 'active-off' : 'active-on',
  ] as const;
  return html`<form method="post" action="${action}">
    <input type="hidden" name="prompt[]" value="${id}" />
    ${tagFields(tags)}
    <div class="actions">
      ${wanted.map((name) => doButton(name, promptSwitches[name].title))}
    </div>
    ${hint(context)}
  </form>`;
}
