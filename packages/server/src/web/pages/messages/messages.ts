import { writeTest } from '../../../messages/insert-message.ts';
import { readMessageTime, setMessageTime, weekdays } from '../../../messages/message-times.ts';
import type { MessageTime } from '../../../messages/message-times.ts';
import {
  addRecipient,
  addressLettersMax,
  listRecipients,
  mailOf,
  operatorKinds,
  parseRecipient,
  recipientsMax,
  removeRecipient,
  shownAddress,
  tellOperatorToo,
} from '../../../messages/recipients.ts';
import type { ListedRecipient, Recipient } from '../../../messages/recipients.ts';
import { allows } from '../../../people/roles.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import { plural } from '../../../values/plural.ts';
import { tagKey } from '../../../values/tag.ts';
import { isTimeZone } from '../../../values/time/local-moment.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { checkField, selectField, textField } from '../../parts/fields.ts';
import { ago } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, faultsOf, formId, readForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { notInWorkspace } from '../../request/page-fault.ts';

const path = '/w/:slug/settings/messages';
const mailVariable = 'OVERHEARD_SMTP';

/** The messages of a workspace: when they are sent, and where to. */
export const messagesRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', (context) => messagesPage(context, {})),
  post(path, 'admin', 'add a webhook or a mail address', add),
  post(`${path}/time`, 'admin', 'set when messages are sent', setTime),
  post(`${path}/test`, 'admin', 'send a test message', sendTest),
  post(`${path}/remove`, 'admin', 'remove a webhook or a mail address', remove),
];

/** Shows the page, with the faults of a form, or with a new recipient. */
async function messagesPage(
  context: WorkspaceContext,
  { form = emptyForm, notice, status = 200 }: FormOutcome,
): Promise<Result> {
  const { access } = context.store;
  const { id } = context.workspace;
  const nowMs = context.clock();
  const { next, ...time } = await readMessageTime(access, id, nowMs);
  const { tags } = await context.reports.read('filters', {});
  const recipients = await listRecipients(access, id);
  const mayChange = allows(context.role, 'admin');
  const content = html`${notice} ${mayChange && addForm(context, form)}
    <section>
      <h2>${recipients.length === 0 ? 'No recipient yet' : plural(recipients.length, 'recipient')}</h2>
      ${table(
        {
          caption: 'Recipients',
          columns: [
            {
              title: 'Address',
              cell: ({ address, for_operator: isToo }) =>
                html`${shownAddress(address)}${isToo && ' (operator)'}`,
            },
            { title: 'Added', cell: ({ created_at: at }) => ago(at, nowMs) },
            {
              title: 'Last message',
              cell: ({ last }) => lastWords(last, { nowMs, showsAll: isOperator(context) }),
            },
            {
              title: 'Change',
              cell: (each) =>
                mayChange &&
                html`${rowForm(context, each, 'Test', 'small')}
                ${rowForm(context, each, 'Remove', 'small danger')}`,
            },
          ],
          empty: mayChange
            ? 'Add the address that a channel of Slack or your own program gave you.'
            : 'Only an admin of the workspace can add one.',
        },
        recipients,
      )}
    </section>
    ${mayChange && timeForm(context, { time, tags, form })}`;
  const lead = html`Each ${weekdays[time.weekday - 1]} at ${time.hour}:00 (${time.zone}) a message says
    what is sure, in a few sentences, and an alert what changed meanwhile.
    ${time.tag !== null && tagWords(time.tag, tags)}
    ${recipients.length > 0 && html`The next weekly message is sent ${next}.`}`;
  return workspacePage(context, { title: 'Messages', lead, content, status });
}

function hasMail({ environment }: WorkspaceContext): boolean {
  return (environment[mailVariable] ?? '') !== '';
}

function isOperator(context: WorkspaceContext): boolean {
  return personOf(context).user.isOperator;
}

function addForm(context: WorkspaceContext, form: FormState): Html {
  const label = hasMail(context) ? 'Address of a webhook, or for mail' : 'Address of a webhook';
  return html`<section class="panel">
    <h2>Add a recipient</h2>
    <form method="post" class="inline" action="${placeOf(context)}">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${textField(form, { name: 'address', label, lengthMax: addressLettersMax, key: 'n' })}
      ${isOperator(context) && checkField(form, { name: 'operator', label: 'Also alerts for the operator: backups and caps' })}
      <button class="button primary">Add it</button>
    </form>
    <p class="hint">A webhook gets a JSON object, whose <code>text</code> Slack and others show.</p>
  </section>`;
}

const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), `${hour}:00`] as const);

/** A tag that no prompt has leaves out nothing. */
function tagWords(tag: string, tags: readonly string[]): Html {
  return tags.some((each) => tagKey(each) === tagKey(tag))
    ? html`Changes are those of prompts tagged <span data-foreign>${tag}</span>.`
    : html`No prompt is tagged <span data-foreign>${tag}</span> any more, so changes are those of all prompts.`;
}

function timeForm(
  context: WorkspaceContext,
  { time, tags, form }: { time: MessageTime; tags: readonly string[]; form: FormState },
): Html {
  const days = weekdays.map((day, index) => [String(index + 1), day] as const);
  const never = [['', 'never'], ...hours] as const;
  const chosen = (
    name: string,
    label: string,
    options: ReadonlyArray<readonly [string, string]>,
    value: number | string | null,
  ) => selectField(form, { name, label, options, value: value === null ? '' : String(value) });
  return html`<section class="panel">
    <h2>When, and of what</h2>
    <form method="post" class="inline" action="${placeOf(context)}/time">
      ${chosen('weekday', 'Weekly message on', days, time.weekday)}
      ${chosen('hour', 'at', hours, time.hour)}
      ${chosen('quiet_from', 'Alerts wait from', never, time.quiet_from)}
      ${chosen('quiet_to', 'until', never, time.quiet_to)}
      ${textField(form, { name: 'zone', label: 'Time zone', value: time.zone, lengthMax: 60, hint: 'Such as Europe/Berlin.' })}
      ${tags.length > 0 && chosen('tag', 'Changes of', [['', 'all prompts'], ...tags.map((tag) => [tag, `prompts tagged ${tag}`] as const)], time.tag)}
      <button class="button">Save</button>
    </form>
  </section>`;
}

function lastWords(
  last: ListedRecipient['last'],
  { nowMs, showsAll }: { nowMs: number; showsAll: boolean },
): Content {
  if (last === undefined) return 'none yet';
  const isHidden = !showsAll && operatorKinds.includes(last.kind);
  const kind = isHidden ? 'alert' : last.kind.replaceAll('_', ' ');
  if (last.sent_at !== null) return html`${kind}, arrived ${ago(last.sent_at, nowMs)}`;
  if (last.fault === null) return `${kind}, waits to be sent`;
  const words = `${kind}, failed ${plural(last.attempts, 'time')}: ${last.fault}`;
  return last.next_at === null
    ? `${words}. It is not tried again.`
    : `${words}. It is tried again.`;
}

function rowForm(
  context: WorkspaceContext,
  { id, address }: Recipient,
  words: 'Test' | 'Remove',
  look: string,
): Html {
  const action = `${placeOf(context)}/${words.toLowerCase()}`;
  const label = `${words} ${shownAddress(address)}`;
  return buttonForm(action, { recipient: id }, words, { look, label });
}

/** Adds a recipient, and shows the secret of a webhook once. A form that is sent twice adds one. */
async function add(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'address', 'operator']);
  const refused = (address: string) =>
    messagesPage(context, { form: { typed, faults: faultsOf({ address }) }, status: 400 });
  const address = parseRecipient(typed.address);
  const id = formId(typed.form);
  if (address === undefined) return refused('Enter an address that begins with https://.');
  if (mailOf(address) !== undefined && !hasMail(context)) {
    return refused(`Mail is not set up: the operator of the server sets ${mailVariable}.`);
  }
  const { store, reply, clock } = context;
  const isToo = isOperator(context) && typed.operator === 'on';
  reply.header('Cache-Control', 'no-store');
  const recipient = { id, workspace_id: context.workspace.id, address };
  const known = (await listRecipients(store.access, context.workspace.id)).find(
    (each) => each.address === address && each.id !== id,
  );
  if (known !== undefined) {
    if (!isToo || known.for_operator) return refused('It gets the messages already.');
    await tellOperatorToo(store.access, known, personOf(context).user.id);
    return { redirect: placeOf(context) };
  }
  const added = await unlessDuplicate(
    store.access.transaction().execute(async (access) => {
      const row = { ...recipient, created_by: personOf(context).user.id, for_operator: isToo };
      const made = await addRecipient(access, row, { clock });
      if (made === undefined) return 'full';
      await note(context, 'recipient_added', { name: shownAddress(address) }, access);
      return made;
    }),
  );
  if (added === 'full') return refused(`A workspace has at most ${recipientsMax} recipients.`);
  // The form was sent before, or there is no secret to show.
  if (added === undefined || mailOf(address) !== undefined) return { redirect: placeOf(context) };
  const notice = html`<section class="notice good" aria-labelledby="added">
    <h2 id="added">Messages go to ${shownAddress(address)}.</h2>
    ${copyableText('webhook-secret', added.secret, 'Its signing secret')}
    <p class="hint">
      A program of your own checks the signature with it, as Standard Webhooks describes. Slack needs
      none. It is not shown again.
    </p>
  </section>`;
  return messagesPage(context, { notice });
}

async function setTime(context: WorkspaceContext): Promise<Result> {
  const fields = ['weekday', 'hour', 'quiet_from', 'quiet_to', 'zone', 'tag'] as const;
  const typed = readForm(context.request.body, fields);
  const zone = typed.zone.trim();
  const [weekday, hour] = [Number(typed.weekday), Number(typed.hour)];
  const asked = [typed.quiet_from, typed.quiet_to];
  const [from = null, to = null] = asked.map((text) => (text === '' ? null : Number(text)));
  const isHour = (text: string) => hours.some(([each]) => each === text);
  const isQuiet = asked.every((text) => text === '') || (asked.every(isHour) && from !== to);
  const { tags } = await context.reports.read('filters', {});
  const tag = typed.tag === '' ? null : typed.tag;
  const faults = faultsOf({
    tag: tag === null || tags.includes(tag) ? undefined : 'Choose a tag that prompts have.',
    weekday: weekdays[weekday - 1] === undefined ? 'Choose a day.' : undefined,
    hour: isHour(typed.hour) ? undefined : 'Choose an hour.',
    quiet_to: isQuiet ? undefined : 'Choose two different hours, or never for both.',
    zone: isTimeZone(zone) ? undefined : 'Enter a time zone such as Europe/Berlin.',
  });
  if (Object.keys(faults).length > 0) {
    return messagesPage(context, { form: { typed, faults }, status: 400 });
  }
  const time = { weekday, hour, zone, quiet_from: from, quiet_to: to, tag };
  await context.store.access.transaction().execute(async (access) => {
    await setMessageTime(access, context.workspace.id, time, context);
    const wait = from === null || to === null ? '' : `, quiet from ${from}:00 to ${to}:00`;
    const of = tag === null ? '' : `, prompts tagged ${tag}`;
    const name = `${weekdays[weekday - 1]}, ${hour}:00 ${zone}${wait}${of}`;
    await note(context, 'message_time_set', { name }, access);
  });
  return { redirect: placeOf(context) };
}

/** The server sends the message within a minute, in a process of its own. */
async function sendTest(context: WorkspaceContext): Promise<Result> {
  const { store, clock, workspace } = context;
  const recipient = await findRecipient(context);
  await writeTest(store, { workspace, recipients: [recipient.id], clock });
  return { redirect: placeOf(context) };
}

async function remove(context: WorkspaceContext): Promise<Result> {
  const { id, address } = await findRecipient(context);
  await context.store.access.transaction().execute(async (access) => {
    const isRemoved = await removeRecipient(access, { workspaceId: context.workspace.id, id });
    const facts = { name: shownAddress(address) };
    if (isRemoved) await note(context, 'recipient_removed', facts, access);
  });
  return { redirect: placeOf(context) };
}

async function findRecipient(context: WorkspaceContext): Promise<Recipient> {
  const { recipient: id } = readForm(context.request.body, ['recipient']);
  const recipients = await listRecipients(context.store.access, context.workspace.id);
  const recipient = recipients.find((each) => each.id === id);
  if (recipient === undefined) throw notInWorkspace('recipient of messages');
  return recipient;
}

function placeOf({ workspace: { slug } }: WorkspaceContext): string {
  return `/w/${slug}/settings/messages`;
}
