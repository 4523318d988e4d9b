import { html, Html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import { personOf } from '../request/page-context.ts';
import type { PageContext, Result } from '../request/page-context.ts';
import { htmlDocument } from './document.ts';
import type { Controls } from './view-controls.ts';
import { dayWords } from './moment-words.ts';
import type { User } from '../../people/users.ts';

/** A page of the navigation. */
interface Place {
  readonly path: string;
  readonly title: string;
  /** `g` and this letter open the page. */
  readonly key: string;
}

const places: readonly Place[] = [
  { path: '', title: 'Overview', key: 'o' },
  { path: 'prompts', title: 'Prompts', key: 'p' },
  { path: 'topics', title: 'Topics', key: 't' },
  { path: 'answers', title: 'Answers', key: 'a' },
  { path: 'competitors', title: 'Competitors', key: 'c' },
  { path: 'stances', title: 'How you are presented', key: 'w' },
  { path: 'sources', title: 'Sources', key: 's' },
  { path: 'searches', title: 'Searches', key: 'q' },
  { path: 'gaps', title: 'Gaps', key: 'g' },
  { path: 'crawlers', title: 'Crawlers', key: 'r' },
  { path: 'reports', title: 'Published reports', key: 'b' },
];
const placesOfSettings: readonly Place[] = [
  { path: 'settings/subjects', title: 'Brand and competitors', key: 'u' },
  { path: 'settings/collection', title: 'Asking engines', key: 'l' },
  { path: 'settings/data', title: 'Import and export', key: 'd' },
  { path: 'settings/keys', title: 'API keys', key: 'k' },
  { path: 'settings/receivers', title: 'Log receivers', key: 'v' },
  { path: 'settings/members', title: 'People', key: 'm' },
  { path: 'settings/links', title: 'Report links', key: 'i' },
  { path: 'settings/messages', title: 'Messages', key: 'e' },
  { path: 'settings/history', title: 'History', key: 'h' },
];

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
  /** 200 if left out. */
  readonly status?: number;
}

/** The response with a page: for a signed-in person with the navigation. */
export function workspacePage(context: PageContext, parts: PageParts): Result {
  const page = context.shared === undefined ? ownPage(context, parts) : sharedPage(context, parts);
  return { page, status: parts.status ?? 200 };
}

function ownPage(context: PageContext, parts: PageParts): Html {
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
    ${
      personOf(context).user.isOperator &&
      html`<a href="/engines" ${current(context, '/engines')}>Engines</a>
    <a href="/operator" ${current(context, '/operator')}>Operator</a>`
    }
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

/** A page as a report link shows it: without navigation, forms and links into the workspace. */
function sharedPage(context: PageContext, { title, lead, controls, content }: PageParts): Html {
  const { shared, workspace, assets } = context;
  const { by, until = '' } = shared ?? {};
  const name = workspace?.name ?? '';
  const head = {
    title: `${name} in AI answers: ${title}`,
    lead: html`${lead}<br />Shared${by === undefined ? '' : ` by ${by}`}, until ${dayWords(until)}.`,
    content,
  };
  const tools = html`<div class="tools"><print-page></print-page>${controls?.content}</div>`;
  const body = html`<main class="shared" id="content">
    ${pageHead(head, tools, shared?.logo === undefined ? mark(name) : html`<img class="logo" src="${shared.logo}" alt="" />`)}
    ${withoutWays(html`${content}`)}
    <footer><p class="hint">Measured with Overheard.</p></footer>
  </main>`;
  return htmlDocument({ title: `${title}, ${name}`, assets, body });
}

/**
 * Attributes contain no `>`, because the template escapes it. A closing tag may have spaces before
 * its end.
 */
const ways = [/<nav\b.*?<\/nav\s*>/gs, /<form\b.*?<\/form\s*>/gs];
const link = /<a\b[^>]*\bhref="\/(?!s\/)[^"]*"[^>]*>(.*?)<\/a\s*>/gs;

/** Replaces links into the workspace with their text, for any page. */
function withoutWays({ text }: Html): Html {
  const left = ways.reduce((markup, way) => markup.replaceAll(way, ''), text);
  return new Html(left.replaceAll(link, '$1'));
}

interface KeyGroup {
  readonly keys: readonly string[];
  readonly does: string;
}

/** The groups of keyboard shortcuts. */
export const keyGroups: readonly KeyGroup[] = [
  { keys: ['/'], does: 'search, or go to a page' },
  { keys: ['j', 'k'], does: 'next and previous row; Enter opens it' },
  {
    keys: ['g'],
    does: `then a letter: ${[...places, ...placesOfSettings].map(({ key, title }) => `${key} ${title}`).join(', ')}`,
  },
  { keys: ['[', ']'], does: 'shorter and longer period' },
  { keys: ['n'], does: 'a new prompt, competitor or key' },
  { keys: ['1', '2', '3', '4'], does: 'move the gap that has the focus' },
  { keys: ['Ctrl', 'K'], does: 'find something, or go to a page' },
  { keys: ['?'], does: 'show these keys' },
];

/** The keyboard shortcuts of every page, with their help and the list of pages that they open. */
function singleKeys({ hasKeys }: User, slug: string | undefined): Content {
  if (!hasKeys) return undefined;
  return html`<single-keys>
    <dialog data-name="keys" aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          ${keyGroups.map(
            ({ keys, does }) =>
              html`<tr>
                <th scope="row"><kbd>${keys.join(' ')}</kbd></th>
                <td>${does}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p class="hint">Your own page can switch them off.</p>
      <form method="dialog"><button class="button small">Close</button></form>
    </dialog>
    <dialog data-name="pages" aria-label="Find">
      <form class="inline" ${slug === undefined ? html`method="dialog"` : html`method="get" action="/w/${slug}/find"`}>
        <input type="search" name="q" maxlength="100" aria-label="Find" autocomplete="off" /><button class="unseen">
          Find
        </button>
      </form>
      <ul></ul>
      <div data-found aria-live="polite"></div>
    </dialog>
  </single-keys>`;
}

/** The first letter of a name, as a sign. */
function mark(name: string): Html {
  const letter = (Array.from(name)[0] ?? '').toUpperCase();
  return html`<span class="initial" aria-hidden="true">${letter}</span>`;
}

/** A sign such as a logo, the title, as heading 1 unless the content has one, and a sentence. */
function pageHead({ title, lead, content }: PageParts, tools: Content, sign?: Content): Html {
  const isStory = html`${content}`.text.includes('<h1');
  return html`<div class="head">
    ${sign}
    ${isStory ? html`<p class="place">${title}</p>` : html`<h1 class="place">${title}</h1>`}
    ${lead !== undefined && html`<p class="lead">${lead}</p>`} ${tools}
  </div>`;
}
