import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { personOf } from '../request/page-context.ts';
import type { PageContext } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';
import { mark } from './mark.ts';
import { pageHead } from './page-head.ts';
import { places, placesOfSettings } from './places.ts';
import type { Place } from './places.ts';
import { sharedPage } from './shared-page.ts';
import { singleKeys } from './single-keys.ts';
import type { Controls } from './view-controls.ts';

interface PageParts {
  readonly title: string;
  /** A sentence beside the title. */
  readonly lead?: Content;
  /** The page's filters, file and report link. */
  readonly controls?: Controls;
  /** Further buttons, such as the one that adds a row. */
  readonly action?: Content;
  /** Its heading 1 is a `story`. A page without one has its title as heading 1. */
  readonly content: Content;
}

/** A page for a signed-in person, with the navigation. */
export function workspacePage(context: PageContext, parts: PageParts): Html {
  if (context.shared !== undefined) return sharedPage(context, parts);
  const { title, controls, action } = parts;
  const { user } = personOf(context);
  const { workspace, assets } = context;
  const body = html`<a class="skip" href="#content">Skip to the content</a>
    <header class="bar" aria-label="Page">
      <button class="burger" popovertarget="menu" aria-label="Menu">
        <svg width="18" height="14" aria-hidden="true" stroke="currentColor" stroke-width="1.6"><path d="M0 2H18M0 7H18M0 12H18" /></svg>
      </button>
      ${mark(workspace?.name ?? 'Overheard')}<b>${title}</b>
      ${controls !== undefined && html`<button class="chip" popovertarget="filters">${controls.chip} ▾</button>`}
    </header>
    <div class="app">
      ${sideBar(context)}
      <main id="content" tabindex="-1">
        ${pageHead(
          parts,
          (controls !== undefined || (action !== undefined && action !== false)) &&
            html`<div class="tools">
              ${controls !== undefined && html`<div class="filters" id="filters" popover>${controls.content}</div>`}
              ${action !== undefined && action !== false && html`<div class="acts">${action}</div>`}
            </div>`,
        )}
        ${parts.content}
      </main>
    </div>
    ${singleKeys(user, workspace?.slug)}`;
  const name = workspace === undefined ? title : `${title}, ${workspace.name}`;
  return htmlDocument({ title: name, theme: user.theme, assets, body });
}

function sideBar(context: PageContext): Html {
  const { workspace } = context;
  const { user } = personOf(context);
  return html`<header class="side" id="menu" aria-label="Menu" popover>
    <p class="brand">
      ${
        workspace === undefined
          ? html`${mark('Overheard')}Overheard`
          : html`${mark(workspace.name)}<a href="/w/${workspace.slug}/">${workspace.name}</a><a class="hint" href="/">switch</a>`
      }
    </p>
    ${workspace !== undefined && html`<a class="find" href="/w/${workspace.slug}/find" data-open><span>Find</span>${user.hasKeys && html`<kbd>Ctrl K</kbd>`}</a>`}
    ${workspace === undefined ? serverNav(context) : navigation(context, workspace.slug)}
    <nav class="foot" aria-label="Account">
      <a href="/me" ${current(context, '/me')}>${user.name}</a>
    </nav>
  </header>`;
}

function serverNav(context: PageContext): Html {
  return html`<nav aria-label="Server">
    <a href="/" ${current(context, '/')}>Workspaces</a>
    ${personOf(context).user.isOperator && html`<a href="/engines" ${current(context, '/engines')}>Engines</a>`}
  </nav>`;
}

function navigation(context: PageContext, slug: string): Html {
  const { openGaps = 0 } = context;
  const link = (entry: Place): Html => {
    const target = `/w/${slug}/${entry.path}`;
    const count = entry.path === 'gaps' && openGaps > 0 && html`<small>${openGaps}</small>`;
    return html`<a href="${target}" data-go="${entry.key}" ${current(context, target)}><span>${entry.title}</span>${count}</a>`;
  };
  const isSetting = context.request.url.startsWith(`/w/${slug}/settings/`);
  return html`<nav aria-label="Workspace">
    ${places.map(link)}
    <details ${isSetting && html` open`}>
      <summary>Settings</summary>
      ${placesOfSettings.map(link)}
    </details>
  </nav>`;
}

function current({ request }: PageContext, target: string): Content {
  const [path] = request.url.split('?');
  return path === target && html` aria-current="page"`;
}
