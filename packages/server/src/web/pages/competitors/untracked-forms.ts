import type { Refusal } from '../../../refusals.ts';
import { dismissName, restoreName } from '../../../workspaces/dismissed-names.ts';
import { PageFault } from '../../request/page-fault.ts';
import { formId, readForm } from '../../request/forms.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { personOf } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const path = '/w/:slug/competitors';

/** Forms that look for untracked names, dismiss a name, and restore it. */
export const untrackedForms: readonly WorkspaceRoute[] = [
  {
    method: 'POST',
    path: `${path}/look`,
    role: 'editor',
    does: 'look for names that nobody tracks',
    run: look,
  },
  {
    method: 'POST',
    path: `${path}/dismiss`,
    role: 'editor',
    does: 'dismiss a name, or restore it',
    run: dismiss,
    onRefusal: refuseName,
  },
];

async function look(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  const key = { workspaceId: context.workspace.id, id: formId(form) };
  // An unfinished search does the same, so ignore `busy`.
  await context.runner.add({
    ...key,
    work: { kind: 'suggest' },
    userId: personOf(context).user.id,
  });
  return { redirect: placeOf(context) };
}

async function dismiss(context: WorkspaceContext): Promise<Result> {
  const { name: typed, do: wanted } = readForm(context.request.body, ['name', 'do']);
  const { id: workspaceId } = context.workspace;
  const doing = { userId: personOf(context).user.id, clock: context.clock };
  const isBack = wanted === 'restore';
  const { hasChanged, name } = await (isBack
    ? restoreName(context.store, workspaceId, { name: typed })
    : dismissName(context.store, workspaceId, { name: typed, ...doing }));
  const kind = isBack ? 'name_restored' : 'name_dismissed';
  if (hasChanged) await note(context, kind, { name });
  return { redirect: `${placeOf(context)}#untracked` };
}

function refuseName(_context: WorkspaceContext, refusal: Refusal): PageFault | undefined {
  if (!refusal.code.startsWith('text_')) return undefined;
  return new PageFault(400, "This isn't a name", refusalText(refusal));
}

function placeOf(context: WorkspaceContext): string {
  return `/w/${context.workspace.slug}/competitors`;
}
