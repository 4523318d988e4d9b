import { switchPrompts } from '../../../collect/prompts.ts';
import type { Refusal } from '../../../refusals.ts';
import { amount } from '../../../values/plural.ts';
import { PageFault, notFound } from '../../request/page-fault.ts';
import { readListForm } from '../../request/forms.ts';
import { promptSwitches } from './prompt-switch.ts';
import { readPromptFilters } from './prompt-filters.ts';
import { readView, viewLink } from '../../request/view.ts';
import { pathPart } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

/** Switches prompts of the list, and the prompt of a page, on and off. */
export const switchPromptsRoutes: readonly WorkspaceRoute[] = [
  {
    method: 'POST',
    path: '/w/:slug/prompts/switch',
    role: 'editor',
    does: 'switch prompts on or off',
    run: switchListed,
    onRefusal: refuseSwitch,
  },
  {
    method: 'POST',
    path: '/w/:slug/prompts/:prompt/switch',
    role: 'editor',
    does: 'switch one prompt on or off',
    run: switchOne,
    onRefusal: refuseSwitch,
  },
];

/** More prompts than a workspace has. */
const allRows = 1_000_000;

async function switchListed(context: WorkspaceContext): Promise<Result> {
  const { parameters, page, query } = readPromptFilters(context);
  const { typed, values } = readListForm(context.request.body, ['do', 'which'], 'prompt[]');
  const all = { ...query, offset: 0, rowsMax: allRows };
  const ids =
    typed.which === 'all'
      ? (await context.reports.read('prompts', all)).rows.map(({ id }) => id)
      : values;
  await switchThem(context, ids, typed.do);
  return {
    redirect: viewLink(context, 'prompts', { ...parameters, page: page === 1 ? undefined : page }),
  };
}

async function switchOne(context: WorkspaceContext): Promise<Result> {
  readView(context);
  const { typed, values } = readListForm(context.request.body, ['do'], 'prompt[]');
  const id = pathPart(context, 'prompt');
  if (values.length !== 1 || values[0] !== id) throw notFound();
  await switchThem(context, [id], typed.do);
  return { redirect: viewLink(context, `prompts/${id}`) };
}

async function switchThem(
  context: WorkspaceContext,
  ids: readonly string[],
  wanted: string,
): Promise<void> {
  const promptSwitch = Object.entries(promptSwitches).find(([name]) => name === wanted)?.[1];
  if (promptSwitch === undefined || ids.length === 0) {
    throw new PageFault(
      400,
      'Nothing was switched',
      'Go back, tick the prompts, and press one of the buttons under them.',
    );
  }
  const { id: workspaceId } = context.workspace;
  const { what, isOn, kind } = promptSwitch;
  const changed = await switchPrompts(context.store, workspaceId, { ids, what, isOn });
  if (changed === 0) return;
  await note(context, kind, { name: amount(changed, 'prompt') });
}

function refuseSwitch(_: WorkspaceContext, { code }: Refusal): PageFault | undefined {
  if (code !== 'prompt_not_found') return undefined;
  return new PageFault(
    404,
    'A prompt is not in this workspace',
    'Nothing was switched. Open the list again, because an import may have been reverted.',
  );
}
