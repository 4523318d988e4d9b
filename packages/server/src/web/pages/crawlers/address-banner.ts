import { addressWords, clientAddressLines } from '../../../reports/hits/address-words.ts';
import type { AddressVerdicts } from '../../../reports/hits/address-verdicts.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';

/** Says why most requests are not verified by their addresses, if so. */
export function addressBanner(verdicts: AddressVerdicts): Content {
  const words = addressWords(verdicts);
  if (words === undefined) return undefined;
  return html`<section class="notice warn" aria-label="Verified addresses">
    <p>${words.sentence}</p>
    ${
      words.isProxy &&
      html`<p>Let the server log the client’s address:</p>
        <ul>
          ${clientAddressLines.map((line) => html`<li>${line}</li>`)}
        </ul>`
    }
  </section>`;
}
