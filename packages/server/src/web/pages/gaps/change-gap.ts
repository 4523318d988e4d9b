import { z } from 'zod';
import { actionEvents } from '../../../answers/actions/action-events.ts';
import {
  actionStatuses,
  changeAction,
  findAction,
} from '../../../answers/actions/stored-actions.ts';
import type { ActionChange } from '../../../answers/actions/stored-actions.ts';
import { splitTarget } from '../../../api/request/split-target.ts';
import { noteEvent, readUserNames } from '../../../people/events.ts';
import { faultOf, notFound, unreadableForm } from '../../request/page-fault.ts';
import { readForm } from '../../request/forms.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import { authorOf, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { assigneeOf, readAssignees } from './assignees.ts';
import { gapId, showGap } from './gap-page.ts';
import { statusWords } from './gap-row.ts';

/** Shows the gaps again, with the reason why one was not moved. */
type ShowGaps = (
  context: WorkspaceContext,
  state: { notice: Content; status: number },
) => Promise<Result>;

const status = z.enum(actionStatuses);

/**
 * The forms that change a gap. If two people move the same gap, or change its note, the second one
 * sees who was first or what they wrote.
 */
export function changeRoutes(showGaps: ShowGaps): readonly WorkspaceRoute[] {
  return [
    post('/w/:slug/gaps/:id', 'editor', 'move a gap', (context) => move(context, showGaps), {
      onRefusal: (context, { code }) => {
        if (code === 'action_moved') return tellMoved(context, showGaps);
        return code === 'action_not_found' ? notFound() : undefined;
      },
    }),
    post('/w/:slug/gaps/:id/assigned', 'editor', 'assign a gap to a member', assign, {
      onRefusal: faultOf('action_not_found', notFound),
    }),
    post('/w/:slug/gaps/:id/note', 'editor', 'change the note of a gap', writeNote, {
      onRefusal: (context, refusal) => {
        if (refusal.code === 'action_not_found') return notFound();
        const { note } = readForm(context.request.body, ['note', 'was']);
        const isChanged = refusal.code === 'action_note_changed';
        if (!isChanged && refusal.code !== 'action_note_malformed') return undefined;
        const form = { typed: { note }, faults: { note: refusalText(refusal) } };
        return showGap(context, { form, status: isChanged ? 409 : 400 });
      },
    }),
  ];
}

async function move(context: WorkspaceContext, showGaps: ShowGaps): Promise<Result> {
  const id = gapId(context);
  const typed = readForm(context.request.body, ['status', 'from', 'back']);
  const [wanted, seen] = [typed.status, typed.from].map((text) => status.safeParse(text).data);
  if (wanted === undefined || seen === undefined) {
    throw unreadableForm('Open the page again, and move the gap there.');
  }
  const { hasChanged, changes } = await change(context, { id, status: wanted, seen });
  const isOwn = changes.at(-1)?.changed_by === personOf(context).user.id;
  if (!hasChanged && seen !== wanted && !isOwn) return tellMoved(context, showGaps);
  if (typed.back === 'gap') return { redirect: viewLink(context, `gaps/${id}`) };
  // The address of the form has the filters of the list.
  const { search } = splitTarget(context.request.originalUrl);
  return {
    redirect: `${viewLink(context, 'gaps', Object.fromEntries(new URLSearchParams(search)))}#gap-${id}`,
  };
}

async function assign(context: WorkspaceContext): Promise<Result> {
  const id = gapId(context);
  const { assigned } = readForm(context.request.body, ['assigned']);
  const { members } = await readAssignees(context);
  const member = members.find(({ user_id: userId }) => userId === assigned);
  if (assigned !== '' && member === undefined) {
    throw unreadableForm('This person is not a member. Open the gap again, and choose another.');
  }
  await change(context, { id, assignedTo: member?.user_id ?? null });
  return { redirect: viewLink(context, `gaps/${id}`) };
}

async function writeNote(context: WorkspaceContext): Promise<Result> {
  const id = gapId(context);
  const { note, was } = readForm(context.request.body, ['note', 'was']);
  await change(context, { id, note, seenNote: was });
  return { redirect: viewLink(context, `gaps/${id}`) };
}

/** Changes a gap, and adds what has changed to the history. */
async function change(
  context: WorkspaceContext,
  wish: Omit<Parameters<typeof changeAction>[2], 'userId' | 'clock'>,
): Promise<ActionChange> {
  const { id: workspaceId } = context.workspace;
  const author = authorOf(context);
  const changed = await changeAction(context.store, workspaceId, { ...wish, ...author });
  const people = await readAssignees(context);
  for (const event of actionEvents(changed, (id) => assigneeOf(people, id) ?? '')) {
    await noteEvent(context.store.access, author, { workspaceId, ...event });
  }
  return changed;
}

/** Shows the current gaps, and who has moved this one. */
async function tellMoved(context: WorkspaceContext, showGaps: ShowGaps): Promise<Result> {
  const id = gapId(context);
  const { action, changes } = await findAction(context.store.reader, context.workspace.id, id);
  const last = changes.at(-1);
  const author = last?.changed_by ?? null;
  const names = await readUserNames(context.store.access, [author]);
  const who = author === null ? 'Someone on the server' : (names.get(author) ?? 'Someone');
  const notice = html`<div class="notice warn" role="alert">
    <p>
      <strong>${who} moved this gap before you.</strong> It is in “${statusWords[action.status]}”
      now, and your move changed nothing.
    </p>
    <p><a data-foreign href="${viewLink(context, `gaps/${id}`)}">${action.recommendation}</a></p>
  </div>`;
  return showGaps(context, { notice, status: 409 });
}
