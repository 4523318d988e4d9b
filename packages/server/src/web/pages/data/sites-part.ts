import type { SiteWork } from '../../../jobs/work.ts';
import { allows } from '../../../people/roles.ts';
import type { Refusal } from '../../../refusals.ts';
import { newId } from '../../../values/uuid.ts';
import { parseDomain } from '../../../workspaces/words.ts';
import { listOwnSites } from '../../../workspaces/own-sites.ts';
import type { OwnSite } from '../../../workspaces/own-sites.ts';
import { readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { addJob, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { textField } from '../../parts/fields.ts';
import { jobPart } from '../../parts/job-part.ts';
import { table } from '../../parts/table.ts';
import { refusalText } from '../../request/refusal-text.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** The own sites; an editor adds and removes some. */
export async function sitesPart(context: WorkspaceContext, form: FormState): Promise<Html> {
  const { id: workspaceId, slug } = context.workspace;
  const job = await latestJob(context, 'site');
  const sites = await listOwnSites(context.store.reader, workspaceId);
  const mayChange = allows(context.role, 'editor');
  const place = `/w/${slug}/settings/data/sites`;
  const domain = { title: 'Domain', cell: (site: OwnSite) => site.domain };
  const change = {
    title: 'Remove',
    cell: (site: OwnSite) => (site.isAdded ? removeForm(context, place, site) : 'of the brand'),
    isAction: true,
  };
  const columns = mayChange ? [domain, change] : [domain];
  return html`${job?.work.kind === 'site' && siteProgress(context, { ...job, work: job.work })}
    <section>
      <h2>Own sites</h2>
      <p class="hint">
        The sites whose logs this workspace reads: the brand’s domains, and those that you add. Each
        is proven by its own requests; all other hosts of a log are judged together.
      </p>
      ${table({ columns, empty: 'There is no own site yet.' }, sites)}
      ${
        mayChange &&
        html`<form method="post" class="inline" action="${place}/add">
          <input type="hidden" name="form" value="${newId(context.clock)}" />
          ${textField(form, { name: 'domain', label: 'Domain, with its subdomains', lengthMax: 253 })}
          <button class="button">Add the site</button>
        </form>`
      }
    </section>`;
}

function removeForm({ clock }: WorkspaceContext, place: string, { domain }: OwnSite): Html {
  const fields = { form: newId(clock), domain };
  return buttonForm(`${place}/remove`, fields, 'Remove', { label: `Remove ${domain}` });
}

function siteProgress(
  context: WorkspaceContext,
  job: Parameters<typeof jobPart>[1] & { readonly work: SiteWork },
): Content {
  const { action, domain } = job.work;
  return jobPart(context, job, {
    title: `${action === 'add' ? 'Add' : 'Remove'} ${domain}`,
    done: html`<p>The stored requests were checked again.</p>`,
    lostAdvice: 'The server ended three times before it was done. Send the form again.',
  });
}

/** Adds the job of a form. Returns the form if another job is under way. Throws a `Refusal` for a bad domain. */
export async function changeSite(
  context: WorkspaceContext,
  action: SiteWork['action'],
): Promise<FormState | undefined> {
  const typed = readForm(context.request.body, ['form', 'domain']);
  const work = { kind: 'site', action, domain: parseDomain(typed.domain) } as const;
  if ((await addJob(context, typed.form, work)) !== 'busy') return undefined;
  return {
    typed,
    faults: { domain: 'Another site is being changed. Send it again when that has ended.' },
  };
}

/** The form as it was sent, with why its domain was refused. */
export function refusedSite({ request }: WorkspaceContext, refusal: Refusal): FormState {
  return {
    typed: readForm(request.body, ['form', 'domain']),
    faults: { domain: refusalText(refusal) },
  };
}
