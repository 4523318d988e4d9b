import { addressWords } from '../../../reports/hits/address-verdicts.ts';
import type { AddressVerdicts } from '../../../reports/hits/address-verdicts.ts';
import { hasOperatorLists } from '../../../reports/operator-lists.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import type { PageContext } from '../../request/page-context.ts';
import { clientAddressList } from './access-part.ts';

/** Says why most requests are not verified by their addresses, if so. */
export function addressBanner(verdicts: AddressVerdicts): Content {
  const words = addressWords(verdicts);
  if (words === undefined) return undefined;
  return html`<section class="notice warn" aria-label="Verified addresses">
    <p>${words.sentence}</p>
    ${
      words.isProxy &&
      html`<p>Let the server log the client’s address:</p>
        ${clientAddressList()}`
    }
  </section>`;
}

/** Says that requests wait for the operators' address lists, if no list is installed. */
export async function listsBanner({ store }: PageContext): Promise<Content> {
  if (await hasOperatorLists(store.reader)) return undefined;
  return html`<p class="notice warn">
    No address list of the crawlers’ operators is installed yet, so most requests cannot be verified.
    A server that reaches the internet fetches the lists within an hour, and then judges these
    requests again. <code>overheard ranges update</code> fetches them now.
  </p>`;
}
