import type { FastifyRequest } from 'fastify';
import { PageFault } from './page-fault.ts';
import type { WebDependencies } from './page-context.ts';

/**
 * Refuses a form that another site sent. `same-site` is refused as well: another port of this host is
 * the same site, and browsers send it our cookies.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function requireSameOrigin(
  { headers }: FastifyRequest,
  { publicUrl }: Pick<WebDependencies, 'publicUrl'>,
  { path }: { path: string },
): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw foreignFormFault();
  }
  const { origin, host = '', cookie } = headers;
  if (origin === undefined) {
    if (cookie === undefined) return;
    throw foreignFormFault();
  }
  // On plain http the page of a link sends neither a referrer nor an origin. Accept it, because
  // another site doesn't have its secret token.
  if (origin === 'null' && path.includes(':token')) return;
  const ours = [new URL(publicUrl()).origin, `http://${host}`, `https://${host}`];
  if (!ours.includes(origin)) throw foreignFormFault();
}

function foreignFormFault(): PageFault {
  return new PageFault(
    403,
    'The form came from another site',
    'Nothing was changed. Open the page on this server and send the form from there.',
  );
}
