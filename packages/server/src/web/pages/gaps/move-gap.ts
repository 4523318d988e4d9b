import { z } from 'zod';
import { actionEvents } from '../../../answers/actions/action-events.ts';
import {
  actionStatuses,
  changeAction,
  findAction,
} from '../../../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../../../answers/actions/stored-actions.ts';
import { splitTarget } from '../../../api/request/split-target.ts';
import { noteEvent, readUserNames } from '../../../people/events.ts';
import { notFound, unreadableForm } from '../../request/page-fault.ts';
import { readForm } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import { pathPart, personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { statusWords } from './gap-card.ts';

/** Shows the gaps again, with the reason why one was not moved. */
type ShowGaps = (
  context: WorkspaceContext,
  state: { notice: Content; status: number },
) => Promise<Result>;

const status = z.enum(actionStatuses);

/** Moves a gap. If two people move the same gap, the second one sees who was first. */
export function moveRoute(showGaps: ShowGaps): WorkspaceRoute {
  return {
    method: 'POST',
    path: '/w/:slug/gaps/:id',
    role: 'editor',
    does: 'move a gap',
    run: (context) => move(context, showGaps),
    onRefusal: (context, { code }) => {
      if (code === 'action_moved') return tellMoved(context, showGaps);
      return code === 'action_not_found' ? notFound() : undefined;
    },
  };
}

/** The gap's id in the path. Throws if no gap can have it. */
export function gapId(context: WorkspaceContext): string {
  const id = z.guid().safeParse(pathPart(context, 'id')).data;
  if (id === undefined) throw notFound();
  return id.toLowerCase();
}

async function move(context: WorkspaceContext, showGaps: ShowGaps): Promise<Result> {
  const id = gapId(context);
  const typed = readForm(context.request.body, ['status', 'from', 'back']);
  const [wanted, statusBefore] = [typed.status, typed.from].map(
    (text) => status.safeParse(text).data,
  );
  if (wanted === undefined || statusBefore === undefined) {
    throw unreadableForm('Open the page again, and move the gap there.');
  }
  const { id: workspaceId } = context.workspace;
  const doing = { userId: personOf(context).user.id, clock: context.clock };
  const wish = { id, status: wanted, seen: statusBefore, ...doing };
  const moved = await changeAction(context.store, workspaceId, wish);
  const { hasChanged, changes } = moved;
  for (const event of actionEvents(moved, () => '')) {
    await noteEvent(context.store.access, doing, { workspaceId, ...event });
  }
  if (!hasChanged && statusBefore !== wanted && changes.at(-1)?.changed_by !== doing.userId) {
    return tellMoved(context, showGaps);
  }
  return { redirect: placeAfter(context, id, { back: typed.back, statusBefore }) };
}

/** The page from which the gap was moved. */
function placeAfter(
  context: WorkspaceContext,
  id: string,
  { back, statusBefore }: { back: string; statusBefore: ActionStatus },
): string {
  if (back === 'gap') return viewLink(context, `gaps/${id}`);
  const { search } = splitTarget(context.request.originalUrl);
  const priority = new URLSearchParams(search).get('priority') ?? undefined;
  if (back === 'list')
    return viewLink(context, 'gaps', { view: 'list', status: statusBefore, priority });
  return `${viewLink(context, 'gaps', { priority })}#gap-${id}`;
}

/** Shows the current gaps, and who has moved this one. */
async function tellMoved(context: WorkspaceContext, showGaps: ShowGaps): Promise<Result> {
  const id = gapId(context);
  const { action, changes } = await findAction(context.store.reader, context.workspace.id, id);
  const last = changes.at(-1);
  const author = last?.changed_by ?? null;
  const names = await readUserNames(context.store.access, [author]);
  const who = author === null ? 'Someone on the command line' : (names.get(author) ?? 'Someone');
  const notice = html`<div class="notice warn" role="alert">
    <p>
      <strong>${who} moved this gap before you.</strong> It is in “${statusWords[action.status]}”
      now, and your move changed nothing.
    </p>
    <p><a data-foreign href="${viewLink(context, `gaps/${id}`)}">${action.recommendation}</a></p>
  </div>`;
  return showGaps(context, { notice, status: 409 });
}
