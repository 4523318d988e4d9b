import { readAskingSwitch, setAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { noteEvent } from '../../../people/events.ts';
import { allows } from '../../../people/roles.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { readForm } from '../../request/forms.ts';
import { personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

/** The operator's switch: whether servers ask engines by themselves, for all workspaces. */
export const switchRoute: WorkspaceRoute = {
  method: 'POST',
  path: '/w/:slug/settings/collection/switch',
  role: 'operator',
  does: 'switch on or off that servers ask engines by themselves',
  run: async (context): Promise<Result> => {
    const { to } = readForm(context.request.body, ['to']);
    const { store, clock } = context;
    const isOn = to === 'on';
    if (await setAskingSwitch(store, { isOn, clock })) {
      const author = { userId: personOf(context).user.id, clock };
      await noteEvent(store.access, author, { kind: isOn ? 'asking_on' : 'asking_off' });
    }
    return { redirect: `/w/${context.workspace.slug}/settings/collection` };
  },
};

/** Says whether servers ask by themselves, with the operator's button. Others read it if nothing is asked. */
export async function switchPart(context: WorkspaceContext): Promise<Content> {
  const isOn = (await readAskingSwitch(context.store)) !== null;
  if (!allows(context.role, 'operator')) {
    return (
      !isOn &&
      html`<p class="notice warn">
        The server does not ask by itself yet: its operator switches that on.
      </p>`
    );
  }
  return html`<section class="panel">
    <h2>Who asks</h2>
    <p>
      ${
        isOn
          ? 'Servers ask by themselves what is due, for every workspace that has a schedule.'
          : 'Servers do not ask by themselves. What is due is asked by `overheard serve --collect`, `collect worker` or a timer, if one runs.'
      }
    </p>
    <form method="post" action="/w/${context.workspace.slug}/settings/collection/switch">
      <input type="hidden" name="to" value="${isOn ? 'off' : 'on'}" />
      <p class="actions">
        <button class="button">${isOn ? 'Switch off' : 'Let servers ask by themselves'}</button>
      </p>
    </form>
  </section>`;
}
