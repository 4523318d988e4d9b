import type { StanceRow } from '@overheard/contract';
import type { StancePage } from '../../../reports/stances/stance-page.ts';
import { stanceTitles } from '../../../reports/stances/stance-words.ts';
import { engineName } from '../../../values/engine.ts';
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
  const nameOf = new Map(subjects.map(({ subject_id: id, name }) => [id, name]));
  const items = warnings.map(({ subject_id: id, topic, quote }) =>
    quoteItem(
      context,
      quote,
      html`<strong>${nameOf.get(id) ?? ''}</strong>, ${stanceTitles[quote.stance]}${topic !== null && html`, ${topic}`}`,
    ),
  );
  return html`<section id="warnings">
    ${titleLine('Warnings', warnings.length > 0 && 'warnings first, then mixed ones, the newest first')}
    ${items.length === 0 ? html`<p class="hint">No judged answer warns against anyone whom you track.</p>` : html`<ul class="quotes">${items}</ul>`}
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
