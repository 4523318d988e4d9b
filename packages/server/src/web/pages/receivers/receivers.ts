import { isReceiverHost, receiverHosts, setUpSteps } from '../../../access/receiver-hosts.ts';
import { addReceiver, endReceiver, listReceivers } from '../../../access/receivers.ts';
import type { ListedReceiver, NewReceiver } from '../../../access/receivers.ts';
import { allows } from '../../../people/roles.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import { newId } from '../../../values/uuid.ts';
import { normaliseHost } from '../../../values/sites/host.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { confirmForm } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { alertNotice, selectField, textField } from '../../parts/fields.ts';
import { siteHint } from '../../parts/log-form.ts';
import { receiverTable } from '../../parts/receiver-table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, faultsOf, formId, readForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { noParameters } from '../../request/parameters.ts';
import { note } from '../../request/note.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { notInWorkspace } from '../../request/page-fault.ts';

const path = '/w/:slug/settings/receivers';

/** Receivers of log lines: the list, and the forms on it. */
export const receiversRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', show),
  post(path, 'admin', 'add a receiver of log lines', add),
  post(`${path}/end`, 'admin', 'end a receiver of log lines', endOne),
];

async function show(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  return receiversPage(context, {});
}

async function receiversPage(
  context: WorkspaceContext,
  { form = emptyForm, notice, status = 200 }: FormOutcome,
): Promise<Result> {
  const { store, workspace } = context;
  const mayChange = allows(context.role, 'admin');
  const receivers = await listReceivers(store.access, { workspaceId: workspace.id });
  const content = html`${notice} ${mayChange && addForm(context, form)}
    <section>
      <h2>Receivers</h2>
      ${receiverTable(context, receivers.toReversed(), mayChange ? (each) => endForm(context, each) : undefined)}
    </section>`;
  const lead = 'Your site has no log file? Add a receiver, to which its host can send the lines.';
  return workspacePage(context, { title: 'Log receivers', lead, content, status });
}

function addForm({ workspace, clock }: WorkspaceContext, form: FormState): Html {
  const options = Object.entries(receiverHosts);
  return html`<section class="panel">
    <h2>New receiver</h2>
    <form method="post" class="inline" action="/w/${workspace.slug}/settings/receivers">
      <input type="hidden" name="form" value="${newId(clock)}" />
      ${selectField(form, { name: 'host', label: 'Where your site runs', options })}
      ${textField(form, { name: 'site', label: 'Site', isOptional: true, hint: siteHint })}
      <button class="button primary">Add the receiver</button>
    </form>
  </section>`;
}

function endForm({ workspace }: WorkspaceContext, { id, last_four: end }: ListedReceiver): Html {
  const action = `/w/${workspace.slug}/settings/receivers/end`;
  const hint = 'Lines that are sent there are refused from the next request on.';
  const label = `End …${end}`;
  return confirmForm(
    action,
    { receiver: id },
    { opens: 'End', label, hint, words: 'End for good' },
  );
}

async function add(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'host', 'site']);
  const host = isReceiverHost(typed.host) ? typed.host : undefined;
  const site = typed.site.trim() === '' ? null : normaliseHost(typed.site);
  const faults = faultsOf({
    host: host === undefined ? 'Choose where your site runs.' : undefined,
    site: site === undefined ? 'Write the name of a site, such as www.acme.com.' : undefined,
  });
  if (host === undefined || site === undefined) {
    return receiversPage(context, { form: { typed, faults }, status: 400 });
  }
  const { store, clock, workspace, reply } = context;
  reply.header('Cache-Control', 'no-store');
  const userId = personOf(context).user.id;
  const wanted = { workspaceId: workspace.id, host, site, clock, id: formId(typed.form), userId };
  const added = await unlessDuplicate(
    store.access.transaction().execute(async (access) => {
      const receiver = await addReceiver({ ...store, access }, wanted);
      await note(context, 'receiver_added', factsOf(receiver.record), access);
      return receiver;
    }),
  );
  if (added !== undefined) return receiversPage(context, { notice: addedNotice(context, added) });
  const notice = alertNotice(
    'warn',
    'No second receiver was added.',
    'This form was sent before. An address is shown once: end the receiver and add another if you have not stored it.',
  );
  return receiversPage(context, { notice, status: 409 });
}

/** Shows a new address with what to do at the host, once. */
function addedNotice(
  { publicUrl, store, workspace }: WorkspaceContext,
  { record, token, secret }: NewReceiver,
): Html {
  const address = `${publicUrl()}/ingest/${token}`;
  const steps = setUpSteps(record.host, { address, secret, dialect: store.dialect });
  return html`<section class="notice good" aria-labelledby="added">
    <h2 id="added">The receiver is there. Copy its address now: it is not shown again.</h2>
    ${steps.map(
      ({ words, text }, place) =>
        html`<p>${words}</p>
          ${text !== undefined && copyableText(`step-${place}`, text, `Step ${place + 1}`)}`,
    )}
    <p class="actions">
      <a class="button" href="/w/${workspace.slug}/settings/receivers">I have stored it</a>
    </p>
  </section>`;
}

async function endOne(context: WorkspaceContext): Promise<Result> {
  const { receiver: id } = readForm(context.request.body, ['receiver']);
  const { id: workspaceId, slug } = context.workspace;
  await context.store.access.transaction().execute(async (access) => {
    const receivers = await listReceivers(access, { workspaceId });
    if (!receivers.some((each) => each.id === id)) throw notInWorkspace('receiver');
    const ended = await endReceiver(access, { id, workspaceId }, context);
    if (ended !== undefined) await note(context, 'receiver_ended', factsOf(ended), access);
  });
  return { redirect: `/w/${slug}/settings/receivers` };
}

function factsOf({ host, last_four }: ListedReceiver) {
  return { name: receiverHosts[host], last_four };
}
