import { replaceKey, revokeKeyOf } from '../../../access/change-key.ts';
import { createKey, listKeys, parseExpiry } from '../../../access/keys.ts';
import type { ListedKey } from '../../../access/keys.ts';
import { nameLengthMax, parseName } from '../../../people/name.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import type { Store } from '../../../storage/store.ts';
import { dayMs } from '../../../values/time/utc-day.ts';
import { notInWorkspace, unreadableForm } from '../../request/page-fault.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import { alertNotice } from '../../parts/fields.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { endConnection } from '../connectors/connections.ts';
import { keysPage, newKeyNotice, showKeys } from './keys.ts';

const path = '/w/:slug/settings/keys';

/** API keys: the list, and the forms on it. */
export const keysRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showKeys),
  post(path, 'admin', 'make a key', submit),
  post(`${path}/replace`, 'admin', 'replace a key', replace),
  post(`${path}/revoke`, 'admin', 'revoke a key', revoke),
  post(`${path}/connections`, 'admin', 'end the connection of an assistant', endItsConnection),
];

const overlaps: Readonly<Record<string, number>> = { '0': 0, '1d': dayMs, '7d': 7 * dayMs };
const expiries: ReadonlySet<string> = new Set(['30d', '90d', '1y', 'never']);

async function submit(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'name', 'expires']);
  const name = parseName(typed.name);
  const faults = faultsOf({
    name:
      name === undefined
        ? `Describe its purpose in at most ${nameLengthMax} characters.`
        : undefined,
    expires: expiries.has(typed.expires) ? undefined : 'Choose when it expires.',
  });
  if (name === undefined || Object.keys(faults).length > 0) {
    return keysPage(context, { form: { typed, faults }, status: 400 });
  }
  const { clock } = context;
  const workspaceId = context.workspace.id;
  const userId = personOf(context).user.id;
  const expiresAt = typed.expires === 'never' ? null : parseExpiry(typed.expires, { clock });
  const id = formId(typed.form);
  return makeOnce(context, async (store) => {
    const newKey = await createKey(store, { workspaceId, name, expiresAt, clock, id, userId });
    await note(context, 'key_made', factsOf(newKey.record), store.access);
    return newKey;
  });
}

async function replace(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'key', 'overlap']);
  const overlapMs = overlaps[typed.overlap];
  if (overlapMs === undefined) {
    throw unreadableForm('Choose how long the old key works.');
  }
  const { clock } = context;
  const userId = personOf(context).user.id;
  const id = formId(typed.form);
  return makeOnce(context, async (store) => {
    const old = await findKey(context, store, typed.key);
    const newKey = await replaceKey(store, old, { newId: id, userId, overlapMs, clock });
    if (newKey !== undefined) await note(context, 'key_replaced', factsOf(old), store.access);
    return newKey;
  });
}

async function revoke(context: WorkspaceContext): Promise<Result> {
  const { key: id } = readForm(context.request.body, ['key']);
  const { clock, store } = context;
  const { id: workspaceId, slug } = context.workspace;
  await store.access.transaction().execute(async (access) => {
    const inTransaction = { ...store, access };
    const key = await findKey(context, inTransaction, id);
    const userId = personOf(context).user.id;
    const isRevoked = await revokeKeyOf(inTransaction, { workspaceId, id: key.id, userId, clock });
    if (isRevoked) await note(context, 'key_revoked', factsOf(key), access);
  });
  return { redirect: `/w/${slug}/settings/keys` };
}

function endItsConnection(context: WorkspaceContext): Promise<Result> {
  const { id: workspaceId, slug } = context.workspace;
  return endConnection(context, { workspaceId }, { redirect: `/w/${slug}/settings/keys` });
}

/**
 * Makes a key and shows it once, in the response. The form contains the key's id, so a form that is
 * sent twice makes one key, and the second response does not show it.
 */
async function makeOnce(
  context: WorkspaceContext,
  make: (store: Store) => Promise<{ key: string; record: ListedKey } | undefined>,
): Promise<Result> {
  const { store, reply } = context;
  reply.header('Cache-Control', 'no-store');
  const newKey = await unlessDuplicate(
    store.access.transaction().execute((access) => make({ ...store, access })),
  );
  if (newKey !== undefined) return keysPage(context, { notice: newKeyNotice(context, newKey) });
  const notice = alertNotice(
    'warn',
    'No second key was made.',
    'This form was sent before, or the key was changed meanwhile. A key is shown once: replace it if you have not stored it.',
  );
  return keysPage(context, { notice, status: 409 });
}

async function findKey(context: WorkspaceContext, store: Store, id: string): Promise<ListedKey> {
  const keys = await listKeys(store, { workspaceId: context.workspace.id });
  const key = keys.find((each) => each.id === id);
  if (key !== undefined) return key;
  throw notInWorkspace('key');
}

function factsOf({ name, last_four }: ListedKey) {
  return { name, last_four };
}
