import { thousands } from '../../values/plural.ts';
import { newId } from '../../values/uuid.ts';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';
import { emptyForm } from '../request/forms.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { fileField, textField } from './fields.ts';

/** The name of access logs among the kinds of files. */
export const accessLog = 'access log';
/** What the field of a site is for. */
export const siteHint =
  'Such as www.acme.com. A log needs it only if its lines do not name the host.';

/** The form that reads an access log, for a page without requests of crawlers. */
export function logForm(context: WorkspaceContext): Html {
  const hint = `As Apache, nginx, Caddy, IIS, a CDN or a host writes it, also packed. ${sizeWords(context)}`;
  const action = `/w/${context.workspace.slug}/settings/data/import`;
  return html`<form method="post" enctype="multipart/form-data" action="${action}">
    <input type="hidden" name="form" value="${newId(context.clock)}" />
    <input type="hidden" name="rows" value="${accessLog}" />
    ${fileField(emptyForm, { name: 'file', label: 'Access log', hint })}
    ${textField(emptyForm, { name: 'site', label: 'Site', isOptional: true, hint: siteHint })}
    <p class="actions"><button class="button primary">Read it</button></p>
  </form>`;
}

/** How large a file may be. */
export function sizeWords({ uploadBytesMax }: WorkspaceContext): string {
  return `At most ${thousands(uploadBytesMax / 1_000_000)} MB.`;
}
