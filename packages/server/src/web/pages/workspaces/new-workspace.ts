import type { Refusal } from '../../../refusals.ts';
import { canonicalTag, hasRegion } from '../../../values/language-tag.ts';
import {
  createWorkspace,
  findWorkspaceBySlug,
  listWorkspaces,
  proposeSlug,
} from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import { textField } from '../../parts/fields.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { noParameters } from '../../request/parameters.ts';
import { get, post } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';
import { refusalText, subjectFaults } from '../../request/refusal-text.ts';

const path = '/workspaces/new';
const fields = ['brand', 'domain', 'locale', 'slug'] as const;

/** The form that makes a workspace. */
export const newWorkspaceRoutes: readonly Route[] = [
  get(path, 'operator', show),
  post(path, 'operator', 'make a workspace', create, {
    onRefusal: (context, refusal) => formPage(context, refusedForm(context, refusal), 400),
  }),
];

function show(context: PageContext): Result {
  noParameters(context);
  return formPage(context, { ...emptyForm, typed: { locale: 'en-US' } });
}

async function create(context: PageContext): Promise<Result> {
  noParameters(context);
  const typed = readForm(context.request.body, fields);
  const [brand, domain] = [typed.brand.trim(), typed.domain.trim()];
  const locale = canonicalTag(typed.locale.trim()) ?? '';
  const named = typed.slug.trim();
  const slug = named === '' ? await freeSlug(context, brand) : named;
  const faults = faultsOf({
    brand: brand === '' ? 'Type the name of the brand.' : undefined,
    locale: hasRegion(locale) ? undefined : 'Expected a language with its region, such as en-US.',
    slug:
      slug === '' && brand !== ''
        ? 'Type a short name in lower-case letters, digits and hyphens.'
        : undefined,
  });
  if (Object.keys(faults).length > 0) return formPage(context, { typed, faults }, 400);
  const { clock, store } = context;
  const words = { name: brand, domains: domain === '' ? [] : [domain] };
  const wish = { slug, name: brand, brand: words, locale, clock };
  const workspace = await createWorkspace(store, wish);
  await note({ ...context, workspace }, 'workspace_made', { name: workspace.name });
  return { redirect: `/w/${slug}/start` };
}

/** The brand's slug, with a number if another workspace has it; empty without Latin letters. */
async function freeSlug({ store }: PageContext, brand: string): Promise<string> {
  const slug = proposeSlug(brand);
  if (slug === '' || (await findWorkspaceBySlug(store.reader, slug)) === undefined) return slug;
  const taken = new Set((await listWorkspaces(store.reader)).map((each) => each.slug));
  for (let number = 2; ; number += 1) {
    const next = `${slug.slice(0, 58)}-${number}`;
    if (!taken.has(next)) return next;
  }
}

/** Shows what was refused beside the field that it is about. */
function refusedForm({ request }: PageContext, { code, facts }: Refusal): FormState {
  const typed = readForm(request.body, fields);
  const words = refusalText({ code, facts });
  if (code === 'slug_taken' || code === 'slug_malformed') return { typed, faults: { slug: words } };
  const isDomain = 'domains' in subjectFaults({ code, facts }, typed);
  return { typed, faults: { [isDomain ? 'domain' : 'brand']: words } };
}

function formPage(context: PageContext, form: FormState, status = 200): Result {
  const content = html`<form method="post" class="panel" action="${path}">
    ${textField(form, { name: 'brand', label: 'Brand', hint: 'As people write it. Other spellings and products come later.', lengthMax: 200 })}
    ${textField(form, {
      name: 'domain',
      label: 'Its site',
      hint: 'Such as acme.com. Links to it count as citations, and its access log shows which crawlers read it.',
      isOptional: true,
      lengthMax: 300,
    })}
    ${textField(form, { name: 'locale', label: 'Language and market of your buyers', hint: 'Such as en-US or de-DE. Every prompt can have its own.', lengthMax: 35 })}
    ${textField(form, { name: 'slug', label: 'Short name in addresses', hint: 'Made from the brand if you leave it empty.', isOptional: true, lengthMax: 63 })}
    <p class="actions"><button class="button primary">Make the workspace</button></p>
  </form>`;
  const lead = 'A workspace is one brand with its competitors, prompts, answers and keys.';
  return workspacePage(context, { title: 'New workspace', lead, content, status });
}
