import type { Assets } from '../assets.ts';
import type { PageFault } from '../page-fault.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { narrowPage } from '../parts/narrow-page.ts';

/** What went wrong, and what to do: the page of every failure. */
export function faultPage({ title, message, status }: PageFault, assets: Assets): Html {
  return narrowPage({
    title,
    assets,
    content: html`<p>${message}</p>
      <p class="actions">
        <a class="button" href="/">Go to your workspaces</a>${
          status === 401 &&
          html`<a class="button primary" href="/sign-in" target="_blank" rel="noopener"
            >Sign in in another tab</a
          >`
        }
      </p>
      <p class="hint">HTTP status ${status}</p>`,
  });
}
