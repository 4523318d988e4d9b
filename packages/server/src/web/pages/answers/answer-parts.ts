import type { AnswerRow } from '@overheard/contract';
import { costBasisWords } from '../../../collect/ledger/evidence.ts';
import type { AnswerEvidence } from '../../../collect/ledger/evidence.ts';
import type { ReadAnswer } from '../../../reports/answer-pages/answer-report.ts';
import { stanceTitles } from '../../../reports/stances/stance-words.ts';
import { amount, plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { printable } from '../../../values/printable.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { withoutSigns } from '../../markup/without-signs.ts';
import { dayWords } from '../../parts/moment-words.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const linesMax = 100;
const lengthMax = 500;
const purposeLengthMax = 100;
const howWords = { named: 'named', linked: 'linked', both: 'named and linked' } as const;
const ownerWords = { brand: 'yours', competitor: 'a competitor’s', other: '' } as const;
/** Shows the cited subjects by rank, each with a sentence to copy. */
export function citedSubjectsPart(context: WorkspaceContext, answer: ReadAnswer): Html {
  const { cited, outcome } = answer;
  const rows = cited.slice(0, linesMax);
  return html`<section>
    <h2>Who appears</h2>
    ${
      cited.length === 0
        ? html`<p class="hint">
            ${outcome === 'answered' ? 'Nobody whom you track.' : 'Only an answer with text shows somebody.'}
          </p>`
        : html`<ol class="quotes">
            ${rows.map((citation, index) => citationItem(context, answer, { citation, index }))}
          </ol>`
    }
    ${cited.length > linesMax && html`<p class="hint">${cited.length - linesMax} more are not shown.</p>`}
  </section>`;
}

function citationItem(
  context: WorkspaceContext,
  { run_id: run, engine, run_at: at, prompt, language }: ReadAnswer,
  { citation, index }: { citation: AnswerRow['cited'][number]; index: number },
): Html {
  const { name, how, position, rank, sentence, stance, purpose, quote } = citation;
  const id = `quote-${run}-${index}`;
  const link = `${context.publicUrl()}/w/${context.workspace.slug}/answers/${run}`;
  const source = `${engineName(engine)}, ${at.slice(0, 16).replace('T', ' ')} UTC, asked “${printable(prompt, { lengthMax })}”: ${link}`;
  const place =
    position === null
      ? ''
      : position === 0
        ? ', at the start of the answer'
        : `, ${amount(position, 'character')} into the answer`;
  const words = printable(withoutSigns(sentence));
  return html`<li>
    <p>
      <strong>${rank !== null && `${rank}. `}${name}</strong>
      <span class="hint">${howWords[how]}${place}</span>
      ${stance !== null && html`<span class="tag">${stanceTitles[stance]}${purpose !== null && html` for <span dir="auto">${printable(purpose, { lengthMax: purposeLengthMax })}</span>`}</span>`}
    </p>
    ${quote !== null && !sentence.includes(quote) && html`<p class="quote" dir="auto" lang="${language}">“${printable(withoutSigns(quote), { lengthMax })}”</p>`}
    ${
      sentence !== '' &&
      html`<div class="copyable">
        <p class="quote" id="${id}">
          <span lang="${language}">“${words}”</span>
          <span class="hint">${engineName(engine)}, ${dayWords(at)}</span>
        </p>
        <copy-text
          for="${id}"
          text="“${words}” ${source}"
          label="Copy the sentence about ${name} with its source"></copy-text>
      </div>`
    }
  </li>`;
}

/** Shows the links of the answer and their owners. */
export function sourcesPart({ sources }: ReadAnswer): Html {
  return html`<section>
    <h2>Sources</h2>
    ${
      sources.length === 0
        ? html`<p class="hint">The answer names no sources.</p>`
        : html`<ol class="quotes">
            ${sources.slice(0, linesMax).map(({ url, title, site, owner }) => {
              const whose = ownerWords[owner];
              return html`<li>
                ${pageLink(url, title)}
                <p class="hint">
                  ${site}${whose !== '' && html` <span class="tag">${whose}</span>`}
                </p>
              </li>`;
            })}
          </ol>`
    }
    ${sources.length > linesMax && html`<p class="hint">${amount(sources.length - linesMax, 'source')} more are not shown.</p>`}
  </section>`;
}

/** Shows what the engine searched for, if that is known. */
export function searchesPart({ queries }: ReadAnswer): Content {
  if (queries === null) return undefined;
  return html`<section>
    <h2>Searched for</h2>
    ${
      queries.length === 0
        ? html`<p class="hint">The engine answered without a search.</p>`
        : html`<ul>
            ${queries.slice(0, linesMax).map((query) => html`<li dir="auto">${printable(query, { lengthMax })}</li>`)}
          </ul>`
    }
  </section>`;
}

/** A link to a web page. Addresses of other kinds are plain text. */
function pageLink(url: string, title = ''): Html {
  const words = printable(title === '' ? url : title, { lengthMax });
  if (!/^https?:\/\/[^\s]+$/.test(url)) return html`<span>${words}</span>`;
  return html`<a href="${url}" rel="noreferrer nofollow external">${words}</a>`;
}

/** Facts about how the answer was asked for, and whether figures count it. */
export function answerFacts(answer: ReadAnswer, isOurs: boolean): Html {
  const { engine, model, locale, run_id: run, cohort, names_competitor: hasRival } = answer;
  const model_ = model === null ? 'no model named' : `the model ${printable(model)}`;
  return html`<section>
    <h2>How it was asked</h2>
    <p>${countedWords(answer)}${hasRival && ' The prompt names a competitor.'}</p>
    <p class="hint">
      It is compared only with answers of ${engineName(engine)}, ${model_}, in
      ${locale}${isOurs && ', asked with the same tool and options'} (cohort
      <code>${cohort.slice(0, 8)}</code>).
    </p>
    <p class="hint">Run <code>${run}</code></p>
  </section>`;
}

function countedWords({ outcome, branded }: ReadAnswer): string {
  if (outcome !== 'answered') return `Not counted: ${outcome}.`;
  if (branded) return 'Not counted: the prompt names the brand, so the rate would be too high.';
  return 'Figures count this answer.';
}

/** Shows the evidence of an answer that Overheard asked for itself. */
export function evidencePart(evidence: AnswerEvidence): Html {
  const { model, searches, retrieved, costUsd, costBasis } = evidence;
  return html`<section>
    <h2>Evidence</h2>
    <p>Asked over the API for ${dollars(costUsd)}, ${costBasisWords[costBasis]}.</p>
    <p>Model as served: ${model === null ? 'not named' : printable(model)}.</p>
    <p>
      ${searches === null ? 'The engine does not report how often it searched.' : `It searched ${plural(searches, 'time')}.`}
    </p>
    ${
      retrieved.length > 0 &&
      html`<details>
      <summary>Pages that it read, cited ones included: ${retrieved.length}</summary>
      <ul>${retrieved.slice(0, linesMax).map(({ url, title }) => html`<li>${pageLink(url, title)}</li>`)}</ul>
    </details>`
    }
  </section>`;
}
