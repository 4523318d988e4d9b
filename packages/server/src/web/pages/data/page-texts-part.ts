import { z } from 'zod';
import { readPageTexts, sharedTextNote } from '../../../answers/page-texts.ts';
import type { SharedTextNote } from '../../../answers/page-texts.ts';
import { textPlaces } from '../../../answers/detection/shared-text.ts';
import { allows } from '../../../people/roles.ts';
import { engineName } from '../../../values/engine.ts';
import { parseJson } from '../../../values/json.ts';
import { plural } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { addJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { readForm } from '../../request/forms.ts';
import { PageFault } from '../../request/page-fault.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

/** Names the texts that an import's answers share, each with a button that takes it off the count. */
export function sharedTextsPart(context: WorkspaceContext, notes: unknown): Content {
  const texts = z.array(z.string()).catch([]).parse(notes);
  return texts
    .flatMap((text) => sharedTextNote.safeParse(parseJson(text)).data ?? [])
    .map((note) => sharedText(context, note));
}

function sharedText(
  context: WorkspaceContext,
  { engine, place, id, quote, answers, of }: SharedTextNote,
): Html {
  const verb = place === 'head' ? 'begin' : 'end';
  return html`<p>
      ${answers} of ${of} different answers of ${engineName(engine)} ${verb} with the same text:
    </p>
    <blockquote>${quote}</blockquote>
    ${
      allows(context.role, 'editor') &&
      html`<p class="hint">If the page wrote it and not the engine, it should not count.</p>
        ${stripForm(context, { engine, place, text: id }, 'Do not count this text')}`
    }`;
}

/** The texts that do not count, with the way back. */
export async function pageTextsPart(context: WorkspaceContext): Promise<Content> {
  const rules = await readPageTexts(context.store.reader, context.workspace.id);
  if (rules.length === 0) return undefined;
  const engines = [...new Set(rules.map(({ engine }) => engine))];
  return html`<section>
    <h2>Text that does not count</h2>
    <p class="hint">What an engine’s page writes around its answers. In an answer it is grey.</p>
    ${engines.map((engine) => {
      const texts = rules.filter((rule) => rule.engine === engine);
      return html`<h3>${engineName(engine)}</h3>
        ${texts.map(({ text }) => html`<blockquote>${text}</blockquote>`)}
        ${allows(context.role, 'editor') && stripForm(context, { engine, place: '', text: '' }, `Count ${plural(texts.length, 'text')} again`)}`;
    })}
  </section>`;
}

function stripForm(
  { workspace, clock }: WorkspaceContext,
  fields: { engine: string; place: string; text: string },
  words: string,
): Html {
  const action = `/w/${workspace.slug}/settings/data/texts`;
  return buttonForm(action, { form: newId(clock), ...fields }, words);
}

/** Takes a text off the count, or counts an engine's texts again, as a redetection. */
export async function changeTexts(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'engine', 'place', 'text']);
  const place = textPlaces.find((each) => each === typed.place);
  const text = { engine: typed.engine, place, ...(place !== undefined && { id: typed.text }) };
  if ((await addJob(context, typed.form, { kind: 'redetect', texts: [text] })) !== 'busy') {
    return { redirect: `/w/${context.workspace.slug}/settings/subjects` };
  }
  throw new PageFault(
    409,
    'The answers are being counted already',
    'Open Brand and competitors to see the progress, and try again when it has ended.',
  );
}
