import type { Theme } from '../../storage/tables/people-tables.ts';
import type { Assets } from '../assets.ts';
import { Html, html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';

const doctype = new Html('<!doctype html>\n');
/** The logo, as an image that needs no request. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%23254ec5'/%3E%3Cpath d='M9 13v6M13 10v12M17 12v8M21 8v16' stroke='%23fff' stroke-width='2.4' stroke-linecap='round'/%3E%3C/svg%3E";
const iconLink = new Html(`<link rel="icon" href="${icon}">`);

/** A whole document. `body` is the content of its body. */
export function htmlDocument({
  title,
  theme = 'system',
  assets,
  body,
}: {
  title: string;
  theme?: Theme;
  assets: Assets;
  body: Content;
}): Html {
  return html`${doctype}
    <html lang="en" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          name="description"
          content="What AI answer engines say about you, and which AI crawlers read your site."
        />
        <title>${title} - Overheard</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${assets.style.path}" />
        ${iconLink}
        <script type="module" src="${assets.script.path}"></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}
