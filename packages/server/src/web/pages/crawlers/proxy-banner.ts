import { proxyName } from '../../../crawlers/ingest/trusted-proxies.ts';
import type { ProxySigns } from '../../../reports/hits/latest-hits.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const causes = {
  proxy_address: 'came with the address of a proxy in place of the client’s',
  private_address: 'came with a private or reserved address',
  visitor_address: 'came with an address that ordinary visitors share',
} as const satisfies Record<ProxySigns['reason'], string>;

/** Warns that the log seems to come from behind a proxy, and shows the commands that fix it. */
export function proxyBanner(context: WorkspaceContext, signs: ProxySigns | null): Content {
  if (signs === null) return undefined;
  const { sampled, hits, reason, list } = signs;
  return html`<section class="notice warn" aria-labelledby="proxy">
    <h2 id="proxy">The log seems to come from behind a proxy</h2>
    <p>
      Of the latest ${amount(sampled, 'request')}, ${thousands(hits)} ${causes[reason]}. Such a
      request cannot be verified.
    </p>
    ${cure(context, list === null ? null : proxyName(list))}
  </section>`;
}

function cure(context: WorkspaceContext, network: string | null): Html {
  const { command } = context;
  const { slug } = context.workspace;
  const proxy = network ?? '10.0.0.0/8';
  const words = `overheard hits ingest access.log --from-start --trust-forwarded ${proxy} --workspace ${slug}`;
  return html`<p>
      Let the server log the client’s address. If the log has it in a header beside the address,
      read the log
      again${network === null && ', with the networks of your own proxies instead of 10.0.0.0/8'}:
    </p>
    <pre tabindex="0"><code>${command(words)}</code></pre>
    <p class="hint">
      First take these requests back: <code>${command('overheard hits remove --help')}</code> says
      how.
    </p>`;
}
