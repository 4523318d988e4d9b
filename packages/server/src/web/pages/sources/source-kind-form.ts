import { sourceKinds } from '@overheard/contract';
import { allows } from '../../../people/roles.ts';
import { readSourceKinds } from '../../../storage/queries/read-source-kinds.ts';
import { setSourceKind } from '../../../workspaces/source-kinds.ts';
import { siteOf } from '../../../values/sites/site.ts';
import { hostOf } from '../../../values/sites/web-host.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { selectField } from '../../parts/fields.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { notFound, unreadableForm } from '../../request/page-fault.ts';
import { forMembers, pathPart, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { kindWords } from './source-columns.ts';

/** The kinds that a person may choose: who owns a page is no choice. */
const kindNames = sourceKinds.filter((kind) => kind in kindWords);

/** Sets the kind of a site. */
export const sourceKindRoute: WorkspaceRoute = post(
  '/w/:slug/sources/:site/kind',
  'editor',
  'set the kind of a site that answers link',
  setKind,
);

/** The form with which an editor says what kind of site this is. */
export async function sourceKindForm(context: WorkspaceContext, site: string): Promise<Content> {
  if (!allows(context.role, 'editor')) return undefined;
  const kinds = await readSourceKinds(context.store.reader, context.workspace.id);
  const options = [['', 'as recognised'], ...Object.entries(kindWords)] as const;
  return forMembers(
    context,
    html`<form method="post" class="inline" action="${placeOf(context, site)}/kind">
      ${selectField(emptyForm, { name: 'kind', label: 'Kind of site', options, value: kinds.get(site) ?? '' })}
      <button class="button small">Save</button>
    </form>`,
  );
}

async function setKind(context: WorkspaceContext): Promise<Result> {
  const site = pathPart(context, 'site');
  if (siteOf(hostOf(`https://${site}/`) ?? '') !== site) throw notFound();
  const typed = readForm(context.request.body, ['kind']);
  const kind = kindNames.find((name) => name === typed.kind);
  if (kind === undefined && typed.kind !== '') {
    throw unreadableForm('Open the page of the site again, and choose a kind there.');
  }
  await setSourceKind(context.store, context.workspace.id, { site, kind });
  await note(context, 'source_kind_set', { name: `${site}: ${kind ?? 'as recognised'}` });
  return { redirect: placeOf(context, site) };
}

function placeOf({ workspace: { slug } }: WorkspaceContext, site: string): string {
  return `/w/${slug}/sources/${encodeURIComponent(site)}`;
}
