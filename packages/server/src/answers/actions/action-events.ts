import { shorten } from './gap-words.ts';
import type { ActionChange } from './stored-actions.ts';

const nameLengthMax = 100;

/** What a change of an action is in the history of its workspace. `nameOf` gives the name of a user. */
export function actionEvents({ before, after }: ActionChange, nameOf: (userId: string) => string) {
  const name = shorten(after.recommendation, nameLengthMax);
  const person = (id: string | null): string => (id === null ? 'nobody' : nameOf(id));
  const moved = { name, before: before.status, status: after.status };
  const assigned = {
    name,
    before: person(before.assigned_to),
    assignee: person(after.assigned_to),
  };
  return [
    ...(before.status === after.status ? [] : [{ kind: 'gap_moved', facts: moved } as const]),
    ...(before.assigned_to === after.assigned_to
      ? []
      : [{ kind: 'gap_assigned', facts: assigned } as const]),
    ...(before.note === after.note ? [] : [{ kind: 'gap_noted', facts: { name } } as const]),
  ];
}
