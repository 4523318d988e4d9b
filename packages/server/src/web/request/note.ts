import { noteEvent } from '../../people/events.ts';
import type { EventFacts, EventKind } from '../../people/events.ts';
import { authorOf } from './page-context.ts';
import type { PageContext } from './page-context.ts';

/** Adds what a person did to the history of the workspace, or of the server outside of one. */
export function note(
  context: PageContext,
  kind: EventKind,
  facts: EventFacts = {},
  db = context.store.access,
): Promise<void> {
  const workspaceId = context.workspace?.id ?? '';
  return noteEvent(db, authorOf(context), { workspaceId, kind, facts });
}
