import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { personOf } from '../request/page-context.ts';
import type { PageContext } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';
import { sharedPage } from './shared-page.ts';
import { singleKeys } from './single-keys.ts';

interface Entry {
  readonly path: string;
  /** The title. `g` and its first letter open the page, unless another letter is given. */
  readonly title: string;
  readonly go?: string;
}

const pages: readonly Entry[] = [
  { path: '', title: 'Overview' },
  { path: 'prompts', title: 'Prompts' },
  { path: 'answers', title: 'Answers' },
  { path: 'competitors', title: 'Competitors' },
  { path: 'sources', title: 'Sources' },
  { path: 'gaps', title: 'Gaps' },
  { path: 'crawlers', title: 'Crawlers', go: 'r' },
];
const settings: readonly Entry[] = [
  { path: 'settings/subjects', title: 'Subjects', go: 'u' },
  { path: 'settings/collection', title: 'Collection', go: 'l' },
  { path: 'settings/data', title: 'Data' },
  { path: 'settings/keys', title: 'API keys', go: 'k' },
  { path: 'settings/members', title: 'Members' },
  { path: 'settings/links', title: 'Report links', go: 'i' },
  { path: 'settings/history', title: 'History' },
];

/** A page for a signed-in person, with the navigation. */
export function workspacePage(
  context: PageContext,
  {
    title,
    lead,
    action,
    content,
  }: {
    title: string;
    /** A sentence under the title. */
    lead?: Content;
    /** Content beside the title, such as a button. */
    action?: Content;
    content: Content;
  },
): Html {
  if (context.shared !== undefined) return sharedPage(context, { title, lead, content });
  const { user } = personOf(context);
  const { workspace, assets } = context;
  const body = html`<a class="skip" href="#content">Skip to the content</a>
    <div class="app">
      ${sideBar(context)}
      <main id="content" tabindex="-1">
        <div class="head">
          <div>
            <h1>${title}</h1>
            ${lead !== undefined && html`<p class="lead">${lead}</p>`}
          </div>
          ${action}
        </div>
        ${content}
      </main>
    </div>
    ${singleKeys(user)}`;
  const name = workspace === undefined ? title : `${title}, ${workspace.name}`;
  return htmlDocument({ title: name, theme: user.theme, assets, body });
}

function sideBar(context: PageContext): Html {
  const { workspace } = context;
  return html`<header class="side">
    <p class="brand">
      ${
        workspace === undefined
          ? html`<span class="mark" aria-hidden="true"></span>Overheard`
          : html`<a href="/w/${workspace.slug}/"><span class="initial" aria-hidden="true">${initial(workspace.name)}</span>${workspace.name}</a>`
      }
    </p>
    ${workspace !== undefined && navigation(context, workspace.slug)}
    <nav class="account" aria-label="Account">
      <a href="/" ${current(context, '/')}>Workspaces</a>
      ${personOf(context).user.isOperator && html`<a href="/engines" ${current(context, '/engines')}>Engines</a>`}
      <a href="/me" ${current(context, '/me')}>${personOf(context).user.name}</a>
      <form method="post" action="/sign-out"><button class="link">Sign out</button></form>
    </nav>
  </header>`;
}

function navigation(context: PageContext, slug: string): Html {
  const link = ({ path, title, go = title.slice(0, 1).toLowerCase() }: Entry): Html => {
    const target = `/w/${slug}/${path}`;
    return html`<a href="${target}" data-go="${go}" ${current(context, target)}
      >${underlineShortcut(title, go)}</a>`;
  };
  return html`<nav class="places" aria-label="Workspace">
    ${pages.map(link)}
    <span class="group" id="nav-settings">Settings</span>
    ${settings.map(link)}
  </nav>`;
}

/** The title, with the letter of its shortcut underlined. */
function underlineShortcut(title: string, letter: string): Content {
  const place = title.toLowerCase().indexOf(letter);
  if (place === -1) return title;
  return html`${title.slice(0, place)}<u>${title.slice(place, place + 1)}</u>${title.slice(place + 1)}`;
}

function current({ request }: PageContext, target: string): Content {
  const [path] = request.url.split('?');
  return path === target && html` aria-current="page"`;
}

function initial(name: string): string {
  return (Array.from(name)[0] ?? '').toUpperCase();
}
