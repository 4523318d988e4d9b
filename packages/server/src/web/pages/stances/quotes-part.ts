import type { StanceRow } from '@overheard/contract';
import type { StancePage } from '../../../reports/stances/stance-page.ts';
import { stanceTitles } from '../../../reports/stances/stance-words.ts';
import { engineName } from '../../../values/engine.ts';
import { amountOrNo } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { withoutSigns } from '../../markup/without-signs.ts';
import { fewDayWords } from '../../parts/moment-words.ts';
import { titleLine } from '../../parts/title-line.ts';
import { mayShowTexts } from '../../request/page-context.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { viewLink } from '../../request/view.ts';

const lengthMax = 600;
const purposeLengthMax = 100;

type Quote = StanceRow['quotes'][number];

/** Who is advised against or criticised, with the words of the answers. */
export function warningsPart(
  context: WorkspaceContext,
  { warnings, subjects }: StancePage,
): Content {
  if (!mayShowTexts(context)) return undefined;
  return html`<section id="warnings">
    ${titleLine('Warnings and criticism')}
    ${warnings.length === 0 && html`<p class="hint">No judged answer warns against anyone whom you track, or criticises them.</p>`}
    ${warnings.map(({ subject_id: id, quotes }) => {
      const row = subjects.find((each) => each.subject_id === id);
      return html`<h3>${row?.name ?? ''}</h3>
        <p class="hint">
          ${answersLink(context, { id, stance: 'advised_against', count: row?.advised_against ?? 0 })},
          ${answersLink(context, { id, stance: 'mixed', count: row?.mixed ?? 0 })}
        </p>
        <ul class="quotes">
          ${quotes.map(({ topic, ...quote }) =>
            quoteItem(
              context,
              quote,
              html`${stanceTitles[quote.stance]}${topic !== null && html`, ${topic}`}`,
            ),
          )}
        </ul>`;
    })}
  </section>`;
}

/** `advised against in 28 answers`, with a link to them. */
function answersLink(
  context: WorkspaceContext,
  { id, stance, count }: { id: string; stance: 'advised_against' | 'mixed'; count: number },
): Content {
  const words = `${stanceTitles[stance]} in ${amountOrNo(count, 'answer')}`;
  if (count === 0) return words;
  return html`<a href="${viewLink(context, 'answers', { subject_id: id, stance })}">${words}</a>`;
}

/** What answers say of the brand, whatever it is. */
export function brandQuotesPart(context: WorkspaceContext, { subjects }: StancePage): Content {
  const [brand] = subjects;
  if (!mayShowTexts(context) || brand === undefined || brand.quotes.length === 0) return undefined;
  return html`<section>
    <h2>What answers say of you</h2>
    <ul class="quotes">
      ${brand.quotes.map((quote) => quoteItem(context, quote, stanceTitles[quote.stance]))}
    </ul>
  </section>`;
}

/** Quotes of each subject, where no figures are shown. */
export function quotesPart(context: WorkspaceContext, { subjects }: StancePage): Content {
  if (!mayShowTexts(context)) return undefined;
  return subjects
    .filter(({ quotes }) => quotes.length > 0)
    .map(
      ({ name, quotes }) =>
        html`<section>
          <h2>${name}</h2>
          <ul class="quotes">
            ${quotes.map((quote) => quoteItem(context, quote, stanceTitles[quote.stance]))}
          </ul>
        </section>`,
    );
}

function quoteItem(context: WorkspaceContext, quote: Quote, words: Content): Html {
  const { run_id: run, engine, run_at: at, purpose } = quote;
  return html`<li>
    <p class="hint">
      ${words}${purpose !== null && html` for <span dir="auto">${printable(purpose, { lengthMax: purposeLengthMax })}</span>`} ·
      <a data-row href="${viewLink(context, `answers/${run}`)}">${engineName(engine)}, ${fewDayWords(at)}</a>
    </p>
    <p class="quote" dir="auto">“${printable(withoutSigns(quote.quote), { lengthMax })}”</p>
  </li>`;
}
