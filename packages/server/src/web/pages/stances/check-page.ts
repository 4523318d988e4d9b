import { stance, uuidPattern } from '@overheard/contract';
import { z } from 'zod';
import { writeLabels } from '../../../answers/stances/write-label.ts';
import type { StanceExcerpt } from '../../../answers/stances/excerpts.ts';
import type { StanceCheck } from '../../../reports/stances/check.ts';
import { kappaMin } from '../../../reports/stances/check.ts';
import { kappaWords, stanceMeanings, stanceTitles } from '../../../reports/stances/stance-words.ts';
import { amount } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { answerText } from '../../markup/answer-text.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { withoutSigns } from '../../markup/without-signs.ts';
import { fold } from '../../parts/fold.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readForm } from '../../request/forms.ts';
import { faultOf, PageFault, unreadableForm } from '../../request/page-fault.ts';
import { readParameters } from '../../request/parameters.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

const path = '/w/:slug/stances/check';

/** The page on which a person labels drawn answers, without seeing what the judge said. */
export const checkRoutes: readonly WorkspaceRoute[] = [
  get(path, 'editor', show, { dependsOn: () => '' }),
  post(path, 'editor', 'check the judge of answers', label, {
    onRefusal: faultOf('stance_not_judged', notJudged),
  }),
];

const excerptLengthMax = 2000;
const id = z.string().regex(uuidPattern, { error: 'It must be a UUID.' });

async function show(context: WorkspaceContext): Promise<Result> {
  const { after } = readParameters(context, z.object({ after: id.optional() }));
  const report = await context.reports.read('stanceToLabel', { after });
  const { slug } = context.workspace;
  const back = html`<a href="/w/${slug}/stances">How you are presented</a>`;
  const content =
    report === null
      ? html`<h1 class="story">Nothing is judged yet, so there is nothing to check</h1>`
      : report.item === null
        ? donePart(context, report.check)
        : itemPart(context, report.item, report.check);
  return workspacePage(context, { title: 'Check the judge', lead: back, content });
}

function donePart({ workspace }: WorkspaceContext, check: StanceCheck): Content {
  const { labels, needed, isTrusted } = check;
  const place = `/w/${workspace.slug}/stances`;
  if (labels < needed) {
    return html`<h1 class="story">That was the last one; ${amount(needed - labels, 'answer')} to go</h1>
      <p class="sub">Figures are shown once ${needed} are labelled: those that you left out, or answers that are judged later. <a class="button" href="${place}/check">Look at them again</a></p>`;
  }
  return html`<h1 class="story">${isTrusted ? 'The judge is checked' : 'The judge cannot be trusted'}: ${kappaWords(check)}</h1>
    <p class="sub">${isTrusted ? 'The figures are shown now.' : `Figures are shown from a kappa of ${kappaMin} on, so there are quotes only. Another engine may judge better.`} <a class="button" href="${place}">See how you are presented</a></p>`;
}

function itemPart(
  context: WorkspaceContext,
  item: StanceExcerpt,
  { labels, needed }: StanceCheck,
): Html {
  const { slug } = context.workspace;
  const { run_id: run, subject_id: subjectId, subject, prompt, language, excerpts, answer } = item;
  return html`<h1 class="story">How does this answer present ${subject}?</h1>
    <p class="sub">
      <label for="progress">${labels} of ${needed} labelled.</label> <progress id="progress" value="${labels}" max="${needed}"></progress>
      Asked: <span dir="auto" lang="${language}">“${printable(prompt, { lengthMax: 300 })}”</span>
    </p>
    <div class="cols">
      <section aria-label="The answer">
        ${excerpts.map((excerpt) => html`<blockquote class="quote" dir="auto" lang="${language}">${printable(withoutSigns(excerpt), { lengthMax: excerptLengthMax })}</blockquote>`)}
        ${fold('The whole answer', answerText(answer, [], language))}
      </section>
      <form method="post" action="/w/${slug}/stances/check">
        <input type="hidden" name="run" value="${run}" /><input type="hidden" name="subject" value="${subjectId}" />
        <ul class="quotes">
          ${stance.options.map(
            (each) =>
              html`<li>
                <button class="button" name="stance" value="${each}">${stanceTitles[each]}</button>
                <p class="hint">${stanceMeanings[each]}</p>
              </li>`,
          )}
        </ul>
        <p class="actions"><a class="button small" href="/w/${slug}/stances/check?after=${run}">Can’t tell, next</a></p>
        <p class="hint">
          Several products of one brand: the strongest recommendation among them; mixed if another of
          them is warned against.
        </p>
      </form>
    </div>`;
}

const labelSchema = z.object({ run: id, subject: id, stance });

async function label(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['run', 'subject', 'stance']);
  const read = labelSchema.safeParse(typed).data;
  if (read === undefined) throw unreadableForm('Open the page again, and choose one of the seven.');
  const { store, workspace, clock } = context;
  const userId = personOf(context).user.id;
  const labels = [{ runId: read.run, subjectId: read.subject, stance: read.stance }];
  await writeLabels(store, workspace.id, labels, { clock, userId });
  // Go on after it, so that what was left out before is not asked again at once.
  return { redirect: `/w/${workspace.slug}/stances/check?after=${read.run}` };
}

function notJudged(): PageFault {
  const words = 'It was judged again or removed meanwhile. Open the page again.';
  return new PageFault(404, 'This answer is not judged any more', words);
}
