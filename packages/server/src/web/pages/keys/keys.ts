import { endpoints, quota as contractQuota } from '@overheard/contract';
import { listKeys } from '../../../access/keys.ts';
import type { ListedKey } from '../../../access/keys.ts';
import { allows } from '../../../people/roles.ts';
import { readUserNames } from '../../../people/events.ts';
import { readQuotaUse } from '../../../storage/quota.ts';
import { plural } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { connections } from '../connectors/connections.ts';
import { keyUses } from './key-uses.ts';
import { noParameters } from '../../request/parameters.ts';
import { confirmForm, hiddenFields } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { selectField, textField } from '../../parts/fields.ts';
import { ago, dayWords, endTime } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

/** The API keys of a workspace. */
export async function showKeys(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  return keysPage(context, {});
}

/** Shows the page with the faults of a form, or with a new key. */
export async function keysPage(
  context: WorkspaceContext,
  { form = emptyForm, notice, status = 200 }: FormOutcome,
): Promise<Result> {
  const { store } = context;
  const { id: workspaceId } = context.workspace;
  const keys = (await listKeys(store, { workspaceId })).toReversed();
  const people = await readUserNames(
    store.access,
    keys.flatMap(({ created_by, revoked_by }) => [created_by, revoked_by]),
  );
  const mayChange = allows(context.role, 'admin');
  const content = html`${notice} ${mayChange && newKeyForm(context, form)}
    <section>
      <h2>${keys.length === 0 ? 'No key yet' : plural(keys.length, 'key')}</h2>
      ${table(
        {
          columns: keyColumns(context, people),
          isPast: (key) => isPast(key, context.clock()),
          empty: html`Keys will be listed here, with when each was last used.
          ${mayChange ? 'Make the first one above.' : 'Only an admin of the workspace can make one.'}`,
        },
        keys,
      )}
    </section>
    ${mayChange && (await connections(context, { workspaceId }, { action: `/w/${context.workspace.slug}/settings/keys/connections`, of: { title: 'Connected by', cell: ({ person }) => person } }))} ${await quotaSection(context)}`;
  const lead = html`A key reads this workspace through the API, and nothing else.
      <a href="/api/v1/openapi.json">What the API returns</a>`;
  return workspacePage(context, { title: 'API keys', lead, content, status });
}

/** Shows a new key, once. */
export function newKeyNotice(
  context: WorkspaceContext,
  { key, record }: { key: string; record: ListedKey },
): Html {
  const { publicUrl, toolServer } = context;
  const uses = keyUses({ key, baseUrl: publicUrl(), toolServer });
  return html`<section class="notice good" aria-labelledby="made">
    <h2 id="made">The key “${record.name}” is made. Copy it now: it is not shown again.</h2>
    ${copyableText('key', key, 'The key')}
    <p class="hint">
      ${record.expires_at === null ? 'It does not expire.' : `It expires on ${dayWords(record.expires_at)}.`}
      Only its hash is stored.
    </p>
    ${uses.map(
      (use, place) =>
        html`<details${place === 0 && html` open`}><summary>${use.title}</summary><p class="hint">${use.where}</p>${copyableText(`use-${use.id}`, use.text, use.title)}</details>`,
    )}
    <p class="actions">
      <a class="button" href="/w/${context.workspace.slug}/settings/keys">I have stored it</a>
    </p>
  </section>`;
}

function newKeyForm(context: WorkspaceContext, form: FormState): Html {
  const options = [
    ['30d', 'in 30 days'],
    ['90d', 'in 90 days'],
    ['1y', 'in a year'],
    ['never', 'never'],
  ] as const;
  return html`<section class="panel">
    <h2>New key</h2>
    <form method="post" class="inline" action="/w/${context.workspace.slug}/settings/keys">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${textField(form, { name: 'name', label: 'What it is for', lengthMax: 100, key: 'n' })}
      ${selectField(form, { name: 'expires', label: 'Expires', options, value: '90d' })}
      <button class="button primary">Make the key</button>
    </form>
  </section>`;
}

function keyColumns(
  context: WorkspaceContext,
  people: ReadonlyMap<string, string>,
): Columns<ListedKey> {
  const nowMs = context.clock();
  const mayChange = allows(context.role, 'admin');
  const nameOf = (userId: string | null) => people.get(userId ?? '') ?? 'the server';
  const end = (key: ListedKey): Content => {
    if (key.revoked_at !== null) {
      return `revoked ${dayWords(key.revoked_at)} by ${nameOf(key.revoked_by)}`;
    }
    if (key.expires_at === null) return 'never';
    return html`${endTime(key.expires_at, nowMs)}${key.replaced_by !== null && html` <span class="tag">replaced</span>`}`;
  };
  return [
    { title: 'Name', cell: ({ name }) => (name === '' ? 'without a name' : name) },
    { title: 'Ends in', cell: (key) => html`<code>…${key.last_four}</code>` },
    {
      title: 'Made',
      cell: (key) => html`${ago(key.created_at, nowMs)} by ${nameOf(key.created_by)}`,
    },
    {
      title: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? 'never' : ago(at, nowMs)),
    },
    { title: 'Expires', cell: end },
    {
      title: 'Change',
      cell: (key) => !isPast(key, nowMs) && mayChange && changes(context, key),
      isAction: true,
    },
  ];
}

function changes(context: WorkspaceContext, key: ListedKey): Html {
  const place = `/w/${context.workspace.slug}/settings/keys`;
  const label = `${key.name} …${key.last_four}`;
  return html`${
    key.replaced_by === null &&
    html`<details>
        <summary aria-label="Replace ${label}">Replace</summary>
        <form method="post" action="${place}/replace">
          ${hiddenFields({ key: key.id, form: newId(context.clock) })}
          <div class="field">
            <label for="overlap-${key.id}">The old key works</label><select id="overlap-${key.id}" name="overlap">
              <option value="0">no longer</option>
              <option value="1d" selected>for a day</option>
              <option value="7d">for a week</option>
            </select>
          </div>
          <button class="button small primary">Make the new key</button>
        </form>
      </details>`
  }
    ${confirmForm(`${place}/revoke`, { key: key.id }, { opens: 'Revoke', label: `Revoke ${label}`, hint: 'Every program that uses it is refused from the next request on.', words: 'Revoke for good' })}`;
}

async function quotaSection(context: WorkspaceContext): Promise<Html> {
  const { store, quota, clock } = context;
  const windowMs = contractQuota.windowSeconds * 1000;
  const used = await readQuotaUse(store, context.workspace.id, { windowMs, clock });
  const limit = quota === 0 ? 'without a limit' : `of ${quota}`;
  return html`<section class="quota">
    <h2>Requests in the last hour</h2>
    <p class="hint">All keys of the workspace together, for each endpoint.</p>
    <dl class="meter">
      ${endpoints.map(({ name }) => {
        const count = used.get(name) ?? 0;
        return html`<div>
          <dt>${name}</dt>
          <dd>
            ${count}
            ${limit}${
              quota > 0 &&
              html`<meter
                min="0"
                max="${quota}"
                high="${Math.floor(quota * 0.8)}"
                value="${count}"
                aria-label="Requests to ${name}"></meter>`
            }
          </dd>
        </div>`;
      })}
    </dl>
  </section>`;
}

function isPast(
  { revoked_at: revokedAt, expires_at: expiresAt }: ListedKey,
  nowMs: number,
): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs);
}
