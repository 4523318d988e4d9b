import { dropsCookies } from '../request/cookies.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import type { PageContext } from '../request/page-context.ts';

/**
 * Browsers drop our cookies on plain http: warns about it before anyone types a password in vain.
 */
export function plainHttpWarning(context: PageContext): Content {
  if (!dropsCookies(context.request, context)) return undefined;
  return html`<div class="notice warn" role="status">
    <p>
      <strong>This page came over plain http, so signing in can’t work:</strong> browsers accept the
      session’s cookie only over https.
    </p>
    <p>
      Put a proxy with https before Overheard and name its address with <code>--public-url</code>.
      In a network that you trust, <code>--plain-http allow</code> allows it as it is.
    </p>
  </div>`;
}
