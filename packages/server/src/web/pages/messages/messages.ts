import { addMessage } from '../../../messages/send-messages.ts';
import { testMessage } from '../../../messages/message-texts.ts';
import {
  lastDue,
  readMessageTime,
  setMessageTime,
  weekdays,
} from '../../../messages/message-times.ts';
import type { MessageTime } from '../../../messages/message-times.ts';
import {
  addWebhook,
  listWebhooks,
  parseWebhookUrl,
  removeWebhook,
  shownUrl,
  webhooksMax,
} from '../../../messages/webhooks.ts';
import type { ListedWebhook, Webhook } from '../../../messages/webhooks.ts';
import { allows } from '../../../people/roles.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import { plural } from '../../../values/plural.ts';
import { isTimeZone } from '../../../values/time/local-moment.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { selectField, textField } from '../../parts/fields.ts';
import { ago } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, faultsOf, formId, readForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { notInWorkspace } from '../../request/page-fault.ts';

const path = '/w/:slug/settings/messages';

/** The messages of a workspace: when they are sent, and where to. */
export const messagesRoutes: readonly WorkspaceRoute[] = [
  { method: 'GET', path, role: 'viewer', run: (context) => messagesPage(context, {}) },
  { method: 'POST', path, role: 'admin', does: 'add a webhook', run: add },
  {
    method: 'POST',
    path: `${path}/time`,
    role: 'admin',
    does: 'set when the weekly message is sent',
    run: setTime,
  },
  {
    method: 'POST',
    path: `${path}/test`,
    role: 'admin',
    does: 'send a test message',
    run: sendTest,
  },
  { method: 'POST', path: `${path}/remove`, role: 'admin', does: 'remove a webhook', run: remove },
];

const weekMs = 7 * 24 * 3_600_000;

/** Shows the page, with the faults of a form, or with a new webhook. */
async function messagesPage(
  context: WorkspaceContext,
  { form = emptyForm, notice, status = 200 }: FormOutcome,
): Promise<Result> {
  const { access } = context.store;
  const { id } = context.workspace;
  const time = await readMessageTime(access, id);
  const webhooks = await listWebhooks(access, id);
  const mayChange = allows(context.role, 'admin');
  const content = html`${notice} ${mayChange && addForm(context, form)}
    <section>
      <h2>${webhooks.length === 0 ? 'No webhook yet' : plural(webhooks.length, 'webhook')}</h2>
      ${table(
        {
          caption: 'Webhooks',
          columns: columnsOf(context, mayChange),
          empty: mayChange
            ? 'Add the address that a channel of Slack or your own program gave you.'
            : 'Only an admin of the workspace can add one.',
        },
        webhooks,
      )}
    </section>
    ${mayChange && timeForm(context, time, form)}`;
  const { date } = lastDue(time, context.clock() + weekMs);
  const next = `${weekdays[time.weekday - 1]} at ${time.hour}:00 (${time.zone})`;
  const lead = html`Each ${next} a message is sent with what is sure, in a few sentences.
    ${webhooks.length > 0 && html`The next one is sent ${date}.`}`;
  return { page: workspacePage(context, { title: 'Messages', lead, content }), status };
}

function addForm(context: WorkspaceContext, form: FormState): Html {
  return html`<section class="panel">
    <h2>Add a webhook</h2>
    <form method="post" class="inline" action="${placeOf(context)}">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${textField(form, { name: 'url', label: 'Address', lengthMax: 2000, key: 'n' })}
      <button class="button primary">Add it</button>
    </form>
    <p class="hint">It gets a JSON object, whose <code>text</code> Slack and others show.</p>
  </section>`;
}

function timeForm(context: WorkspaceContext, time: MessageTime, form: FormState): Html {
  const days = weekdays.map((day, index) => [String(index + 1), day] as const);
  const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), `${hour}:00`] as const);
  return html`<section class="panel">
    <h2>When</h2>
    <form method="post" class="inline" action="${placeOf(context)}/time">
      ${selectField(form, { name: 'weekday', label: 'Day', options: days, value: String(time.weekday) })}
      ${selectField(form, { name: 'hour', label: 'Hour', options: hours, value: String(time.hour) })}
      ${textField(form, { name: 'zone', label: 'Time zone', value: time.zone, lengthMax: 60, hint: 'Such as Europe/Berlin.' })}
      <button class="button">Save</button>
    </form>
  </section>`;
}

function columnsOf(
  context: WorkspaceContext,
  mayChange: boolean,
): ReadonlyArray<Column<ListedWebhook>> {
  const nowMs = context.clock();
  return [
    { title: 'Address', cell: ({ url }) => shownUrl(url) },
    { title: 'Added', cell: ({ created_at: at }) => ago(at, nowMs) },
    { title: 'Last message', cell: ({ last }) => lastWords(last, nowMs) },
    {
      title: 'Change',
      cell: (webhook) =>
        mayChange &&
        html`${rowForm(context, webhook, { to: 'test', label: 'Test' })}
        ${rowForm(context, webhook, { to: 'remove', label: 'Remove' })}`,
    },
  ];
}

function lastWords(last: ListedWebhook['last'], nowMs: number): Content {
  if (last === undefined) return 'none yet';
  if (last.sent_at !== null) return html`${last.kind}, arrived ${ago(last.sent_at, nowMs)}`;
  if (last.fault === null) return `${last.kind}, waits to be sent`;
  const words = `${last.kind}, failed ${plural(last.attempts, 'time')}: ${last.fault}`;
  return last.next_at === null
    ? `${words}. It is not tried again.`
    : `${words}. It is tried again.`;
}

function rowForm(
  context: WorkspaceContext,
  { id, url }: Webhook,
  { to, label }: { to: 'test' | 'remove'; label: string },
): Html {
  return html`<form method="post" action="${placeOf(context)}/${to}">
    <input type="hidden" name="webhook" value="${id}" /><button
      class="button small ${to === 'remove' && 'danger'}"
      aria-label="${label} the webhook at ${shownUrl(url)}"
    >
      ${label}
    </button>
  </form>`;
}

/** Adds a webhook and shows its secret once. A form that is sent twice adds one. */
async function add(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'url']);
  const url = parseWebhookUrl(typed.url);
  const id = formId(typed.form);
  if (url === undefined) {
    const faults = faultsOf({ url: 'Enter an address that begins with https://.' });
    return messagesPage(context, { form: { typed, faults }, status: 400 });
  }
  const { store, reply, clock } = context;
  reply.header('Cache-Control', 'no-store');
  const webhook = { id, workspace_id: context.workspace.id, url };
  const added = await unlessDuplicate(
    store.access.transaction().execute(async (access) => {
      const row = { ...webhook, created_by: personOf(context).user.id };
      const made = await addWebhook(access, row, { clock });
      if (made !== undefined) await note(context, 'webhook_added', { name: shownUrl(url) }, access);
      return made ?? 'full';
    }),
  );
  if (added === 'full') {
    const faults = faultsOf({ url: `A workspace has at most ${webhooksMax} webhooks.` });
    return messagesPage(context, { form: { typed, faults }, status: 400 });
  }
  // The form was sent before.
  if (added === undefined) return { redirect: placeOf(context) };
  return messagesPage(context, { notice: addedNotice(added) });
}

function addedNotice({ secret, url }: Webhook): Html {
  return html`<section class="notice good" aria-labelledby="added">
    <h2 id="added">Messages go to ${shownUrl(url)}.</h2>
    ${copyableText('webhook-secret', secret, 'Its signing secret')}
    <p class="hint">
      A program of your own checks the signature with it, as Standard Webhooks describes. Slack needs
      none. It is not shown again.
    </p>
  </section>`;
}

async function setTime(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['weekday', 'hour', 'zone']);
  const time = {
    weekday: Number(typed.weekday),
    hour: Number(typed.hour),
    zone: typed.zone.trim(),
  };
  const isBetween = (value: number, low: number, high: number) =>
    Number.isInteger(value) && value >= low && value <= high;
  const faults = faultsOf({
    weekday: isBetween(time.weekday, 1, 7) ? undefined : 'Choose a day.',
    hour: isBetween(time.hour, 0, 23) ? undefined : 'Choose an hour.',
    zone: isTimeZone(time.zone) ? undefined : 'Enter a time zone such as Europe/Berlin.',
  });
  if (Object.keys(faults).length > 0) {
    return messagesPage(context, { form: { typed, faults }, status: 400 });
  }
  await context.store.access.transaction().execute(async (access) => {
    await setMessageTime(access, context.workspace.id, time, context);
    const name = `${weekdays[time.weekday - 1]}, ${time.hour}:00 ${time.zone}`;
    await note(context, 'message_time_set', { name }, access);
  });
  return { redirect: placeOf(context) };
}

/** The server posts the message within a minute, in a process of its own. */
async function sendTest(context: WorkspaceContext): Promise<Result> {
  const { webhook: id } = readForm(context.request.body, ['webhook']);
  const { store, clock, workspace } = context;
  const webhook = await findWebhook(context, id);
  await addMessage(store.access, {
    workspaceId: workspace.id,
    id: newId(clock),
    message: testMessage(workspace.slug, clock()),
    webhooks: [webhook.id],
    clock,
  });
  return { redirect: placeOf(context) };
}

async function remove(context: WorkspaceContext): Promise<Result> {
  const { webhook: id } = readForm(context.request.body, ['webhook']);
  const webhook = await findWebhook(context, id);
  await context.store.access.transaction().execute(async (access) => {
    const isRemoved = await removeWebhook(access, { workspaceId: context.workspace.id, id });
    const facts = { name: shownUrl(webhook.url) };
    if (isRemoved) await note(context, 'webhook_removed', facts, access);
  });
  return { redirect: placeOf(context) };
}

async function findWebhook(context: WorkspaceContext, id: string): Promise<Webhook> {
  const webhooks = await listWebhooks(context.store.access, context.workspace.id);
  const webhook = webhooks.find((each) => each.id === id);
  if (webhook === undefined) throw notInWorkspace('webhook');
  return webhook;
}

function placeOf({ workspace: { slug } }: WorkspaceContext): string {
  return `/w/${slug}/settings/messages`;
}
