import type { ExplainedRequest } from '../../../answers/actions/explain-action.ts';
import type { GapDetails } from '../../../answers/actions/gap-details.ts';
import type { ExplainedRun } from '../../../answers/scores/explained-runs.ts';
import { engineName } from '../../../values/engine.ts';
import { amount } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { withoutSigns } from '../../markup/without-signs.ts';
import { fold } from '../../parts/fold.ts';
import { fewDayWords, shortMinute } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const quotesShown = 5;

/** What engines say to prompts, the prompts themselves, and the requests of bots. */
export function evidencePart(
  context: WorkspaceContext,
  {
    prompts,
    runs,
    runsBefore,
    requests,
  }: Pick<NonNullable<GapDetails['derived']>, 'prompts' | 'runs' | 'runsBefore' | 'requests'>,
): Html {
  const locales = new Map(prompts.items.map(({ id, locale }) => [id, locale]));
  const [only] = prompts.total === 1 ? prompts.items : [];
  const quotes = (listed: readonly ExplainedRun[]): Html => html`<ul class="quotes">
    ${listed.map((run) => quote(context, run, { locale: locales.get(run.prompt_id ?? ''), hasPrompt: only === undefined }))}
  </ul>`;
  return html`${
    runs.total > 0 &&
    html`<section id="say" aria-label="What engines say">
      <div class="title">
        <h2>What engines say</h2>
        <p class="hint">${only === undefined ? amount(runs.total, 'answer') : html`<a href="${viewLink(context, 'answers', { prompt_id: only.id })}">All ${amount(runs.total, 'answer')}</a>`}</p>
      </div>
      ${quotes(runs.items.slice(0, quotesShown))}
      ${runs.items.length > quotesShown && fold(`${runs.items.length - quotesShown} more of ${amount(runs.total, 'answer')}`, quotes(runs.items.slice(quotesShown)))}
    </section>`
  }
  ${runsBefore.total > 0 && html`<section>${fold(`${amount(runsBefore.total, 'answer')} of the time before`, quotes(runsBefore.items))}</section>`}
  ${
    only === undefined &&
    prompts.total > 0 &&
    html`<section>
      ${fold(
        amount(prompts.total, 'prompt'),
        html`<ul>
            ${prompts.items.map(({ id, text, locale }) => html`<li><a href="${viewLink(context, `prompts/${id}`)}" lang="${locale}">${printable(text, { lengthMax: 300 })}</a></li>`)}
          </ul>
          ${prompts.total > prompts.items.length && html`<p class="hint">${prompts.items.length} are shown.</p>`}`,
      )}
    </section>`
  }
  ${
    requests.total > 0 &&
    html`<section aria-labelledby="requests">
      <div class="title"><h2 id="requests">What bots requested</h2><p class="hint">${amount(requests.total, 'request')}${requests.total > requests.items.length && `, ${requests.items.length} shown`}</p></div>
      ${table({ caption: 'Requests', columns: requestColumns(context.clock()), empty: '' }, requests.items)}
    </section>`
  }`;
}

/** An answer by the sentences that cite a subject, with its name marked. */
function quote(
  context: WorkspaceContext,
  { run_id: id, prompt_id: promptId, asked, engine, run_at: at, cited }: ExplainedRun,
  { locale, hasPrompt }: { locale: string | undefined; hasPrompt: boolean },
): Html {
  const language = locale !== undefined && html` lang="${locale}"`;
  const bySentence = Map.groupBy(cited, ({ sentence, url }) => sentence ?? url ?? '');
  return html`<li>
    <p class="hint">
      <a data-row href="${viewLink(context, `answers/${id}`, { prompt_id: promptId ?? undefined })}">${engineName(engine)}, ${fewDayWords(at)}</a>
      ${hasPrompt && html`<span ${language}>${printable(asked, { lengthMax: 200 })}</span>`}
    </p>
    ${cited.length === 0 && html`<p class="hint">Names nobody whom you track.</p>`}
    ${[...bySentence].map(([sentence, subjects]) => html`<p ${language} dir="auto"><q>${marked(printable(withoutSigns(sentence), { lengthMax: 500 }), subjects)}</q></p>`)}
  </li>`;
}

/** A text with the first mention of each subject marked. */
function marked(text: string, subjects: ExplainedRun['cited']): Content {
  const marks = subjects
    .map(({ mention, subject, subject_type: type }) => {
      const words = mention ?? subject;
      return { from: text.indexOf(words), words, isBrand: type === 'brand' };
    })
    .filter(({ from }) => from !== -1)
    .toSorted((left, right) => left.from - right.from);
  let done = 0;
  const pieces: Content[] = [];
  for (const { from, words, isBrand } of marks) {
    if (from < done) continue;
    pieces.push(
      text.slice(done, from),
      html`<mark ${isBrand && html` class="own"`}>${words}</mark>`,
    );
    done = from + words.length;
  }
  return [...pieces, text.slice(done)];
}

const requestColumns = (nowMs: number): Columns<ExplainedRequest> => [
  { title: 'When', cell: ({ hit_at: at }) => shortMinute(at, nowMs) },
  { title: 'Status', cell: ({ status }) => status ?? 'not logged' },
  { title: 'User agent', cell: ({ user_agent: agent }) => html`<code>${agent ?? ''}</code>` },
];
