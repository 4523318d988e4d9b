import type { Refusal } from '../../../refusals.ts';
import { noteEvent } from '../../../people/events.ts';
import { dismissName, restoreName } from '../../../workspaces/dismissed-names.ts';
import { PageFault } from '../../request/page-fault.ts';
import { formId, readForm } from '../../request/forms.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { personOf, workspaceOf } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';

const path = '/w/:slug/competitors';

/** Forms that look for untracked names, dismiss a name, and restore it. */
export const untrackedForms: readonly Route[] = [
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

async function look(visit: Visit): Promise<Result> {
  const { form } = readForm(visit.request.body, ['form']);
  const key = { workspaceId: workspaceOf(visit).id, id: formId(form) };
  // An unfinished search does the same, so ignore `busy`.
  await visit.runner.add({ ...key, work: { kind: 'suggest' }, userId: personOf(visit).user.id });
  return { redirect: placeOf(visit) };
}

async function dismiss(visit: Visit): Promise<Result> {
  const { name: typed, do: wanted } = readForm(visit.request.body, ['name', 'do']);
  const { id: workspaceId } = workspaceOf(visit);
  const doing = { userId: personOf(visit).user.id, clock: visit.clock };
  const isBack = wanted === 'restore';
  const { hasChanged, name } = await (isBack
    ? restoreName(visit.store, workspaceId, { name: typed })
    : dismissName(visit.store, workspaceId, { name: typed, ...doing }));
  const kind = isBack ? 'name_restored' : 'name_dismissed';
  const event = { workspaceId, kind, facts: { name } } as const;
  if (hasChanged) await noteEvent(visit.store.access, doing, event);
  return { redirect: `${placeOf(visit)}#untracked` };
}

function refuseName(visit: Visit, refusal: Refusal): PageFault | undefined {
  if (!refusal.code.startsWith('text_')) return undefined;
  return new PageFault(400, "This isn't a name", refusalText(visit, refusal));
}

function placeOf(visit: Visit): string {
  return `/w/${workspaceOf(visit).slug}/competitors`;
}
