import { replaceKey, revokeKeyOf } from '../../../access/change-key.ts';
import { parseExpiry } from '../../../access/expiry.ts';
import { createKey, listKeys } from '../../../access/keys.ts';
import type { ListedKey } from '../../../access/keys.ts';
import { noteEvent } from '../../../people/events.ts';
import type { EventKind } from '../../../people/events.ts';
import { nameLengthMax, parseName } from '../../../people/name.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import type { Store } from '../../../storage/store.ts';
import { PageFault, unreadableForm } from '../../request/page-fault.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import { personOf, workspaceOf } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';
import { keysPage, newKeyNotice, showKeys } from './keys.ts';

const path = '/w/:slug/settings/keys';

/** API keys: the list, and the forms on it. */
export const keysRoutes: readonly Route[] = [
  { method: 'GET', path, role: 'viewer', run: showKeys },
  { method: 'POST', path, role: 'admin', does: 'make a key', run: submit },
  { method: 'POST', path: `${path}/replace`, role: 'admin', does: 'replace a key', run: replace },
  { method: 'POST', path: `${path}/revoke`, role: 'admin', does: 'revoke a key', run: revoke },
];

const dayMs = 24 * 3_600_000;
const overlaps: Readonly<Record<string, number>> = { '0': 0, '1d': dayMs, '7d': 7 * dayMs };
const expiries: ReadonlySet<string> = new Set(['30d', '90d', '1y', 'never']);

async function submit(visit: Visit): Promise<Result> {
  const typed = readForm(visit.request.body, ['form', 'name', 'expires']);
  const name = parseName(typed.name);
  const faults = faultsOf({
    name:
      name === undefined
        ? `Describe its purpose in at most ${nameLengthMax} characters.`
        : undefined,
    expires: expiries.has(typed.expires) ? undefined : 'Choose when it expires.',
  });
  if (name === undefined || Object.keys(faults).length > 0) {
    return keysPage(visit, { form: { typed, faults }, status: 400 });
  }
  const { clock } = visit;
  const workspaceId = workspaceOf(visit).id;
  const userId = personOf(visit).user.id;
  const expiresAt = typed.expires === 'never' ? null : parseExpiry(typed.expires, { clock });
  const id = formId(typed.form);
  return makeOnce(visit, async (store) => {
    const made = await createKey(store, { workspaceId, name, expiresAt, clock, id, userId });
    await note(visit, store, 'key_made', made.record);
    return made;
  });
}

async function replace(visit: Visit): Promise<Result> {
  const typed = readForm(visit.request.body, ['form', 'key', 'overlap']);
  const overlapMs = overlaps[typed.overlap];
  if (overlapMs === undefined) {
    throw unreadableForm('Choose how long the old key works.');
  }
  const { clock } = visit;
  const userId = personOf(visit).user.id;
  const id = formId(typed.form);
  return makeOnce(visit, async (store) => {
    const old = await findKey(visit, store, typed.key);
    const made = await replaceKey(store, old, { newId: id, userId, overlapMs, clock });
    if (made !== undefined) await note(visit, store, 'key_replaced', old);
    return made;
  });
}

async function revoke(visit: Visit): Promise<Result> {
  const { key: id } = readForm(visit.request.body, ['key']);
  const { clock, store } = visit;
  const { id: workspaceId, slug } = workspaceOf(visit);
  await store.access.transaction().execute(async (access) => {
    const inTransaction = { ...store, access };
    const key = await findKey(visit, inTransaction, id);
    const userId = personOf(visit).user.id;
    const isRevoked = await revokeKeyOf(inTransaction, { workspaceId, id: key.id, userId, clock });
    if (isRevoked) await note(visit, inTransaction, 'key_revoked', key);
  });
  return { redirect: `/w/${slug}/settings/keys` };
}

/**
 * Makes a key and shows it once, in the response. The form contains the key's id, so a form that is
 * sent twice makes one key, and the second response does not show it.
 */
async function makeOnce(
  visit: Visit,
  make: (store: Store) => Promise<{ key: string; record: ListedKey } | undefined>,
): Promise<Result> {
  const { store, reply } = visit;
  reply.header('Cache-Control', 'no-store');
  const made = await unlessDuplicate(
    store.access.transaction().execute((access) => make({ ...store, access })),
  );
  if (made !== undefined) return keysPage(visit, { notice: newKeyNotice(visit, made) });
  const notice = html`<div class="notice warn" role="alert">
    <p>
      <strong>No second key was made.</strong> This form was sent before, or the key was changed
      meanwhile. A key is shown once: replace it if you have not stored it.
    </p>
  </div>`;
  return keysPage(visit, { notice, status: 409 });
}

async function findKey(visit: Visit, store: Store, id: string): Promise<ListedKey> {
  const keys = await listKeys(store, { workspaceId: workspaceOf(visit).id });
  const key = keys.find((each) => each.id === id);
  if (key !== undefined) return key;
  throw new PageFault(404, 'This key is not here', 'Open the list of keys again.');
}

async function note(
  visit: Visit,
  { access }: Store,
  kind: EventKind,
  { name, last_four }: ListedKey,
): Promise<void> {
  const doing = { userId: personOf(visit).user.id, clock: visit.clock };
  const facts = { name, last_four };
  await noteEvent(access, doing, { workspaceId: workspaceOf(visit).id, kind, facts });
}
