import { z } from 'zod';
import { shorten } from '../../../answers/actions/gap-words.ts';
import { pastedMax, previewPaste, readUsualLocale } from '../../../answers/paste-prompts.ts';
import type { PastedLine } from '../../../answers/paste-prompts.ts';
import type { EngineProposals } from '../../../answers/engine-proposals.ts';
import { proposePrompts } from '../../../answers/propose-prompts.ts';
import type { Offering, ProposedTopic } from '../../../answers/propose-prompts.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { addPrompts } from '../../../transfer/add-prompts.ts';
import { parseTag } from '../../../values/tag.ts';
import { canonicalTag, hasRegion, languageOf } from '../../../values/language-tag.ts';
import { amount } from '../../../values/plural.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { checkField, formFault, linesField, textField } from '../../parts/fields.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, readListForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { readView, viewLink } from '../../request/view.ts';
import { findProposals, proposalsPart } from './proposals.ts';

const path = '/w/:slug/start/prompts';
const formBytesMax = 2 * 1024 * 1024;

/** The page that proposes questions, and adds the ticked and the pasted ones. */
export const choosePromptsRoutes: readonly WorkspaceRoute[] = [
  get(path, 'editor', (context) => show(context)),
  post(path, 'editor', 'add prompts', save, { formBytesMax }),
];

const lengthMax = 100;
const words = z.string().max(lengthMax).optional();
const parameterShape = { what: words, who: words, where: words };

function readOffering(context: WorkspaceContext): Offering {
  const { what = '', who = '', where = '' } = readView(context, parameterShape).parameters;
  return { what, who, where };
}

async function readPlace({ store, workspace }: WorkspaceContext) {
  const usual = await readUsualLocale(store.reader, workspace.id);
  const locale = usual ?? workspace.locale ?? 'en-US';
  return { locale, language: languageOf(locale) };
}

async function show(
  context: WorkspaceContext,
  form: FormState = emptyForm,
  status = 200,
): Promise<Result> {
  const { store, workspace } = context;
  const offering = readOffering(context);
  const place = await readPlace(context);
  const isEnglish = languageOf(place.language) === 'en';
  const subjects = await listSubjects(store.reader, workspace.id);
  const competitors = subjects.flatMap((subject) =>
    subject.subject_type === 'competitor' ? subject.name : [],
  );
  const { proposals } = await findProposals(context);
  const topics = [
    ...proposedTopics(proposals),
    ...(isEnglish ? proposePrompts(offering, competitors) : []),
  ];
  const pasted = topics.flatMap(({ texts }) => texts).join('\n');
  const { fresh } = await previewPaste(store.reader, workspace.id, { pasted, ...place });
  const content = html`${await proposalsPart(context)} ${isEnglish && offeringForm(context, offering)}
    <form
      method="post"
      class="panel"
      action="${viewLink(context, 'start/prompts', { ...offering })}"
    >
      ${form.faults['ticked'] !== undefined && formFault(form.faults['ticked'])}
      ${topics.map((topic) => topicPart(topic, fresh))}
      ${linesField(form, {
        name: 'own',
        label: topics.length === 0 ? 'Questions' : 'Your own questions',
        hint: `One a line, at most ${amount(pastedMax, 'prompt')}. More of them come from a file, in Settings, Import and export. ${isEnglish ? '' : 'Proposals are made in English only.'}`,
      })}
      ${textField(form, { name: 'locale', label: 'Locale of all', value: place.locale, hint: 'Language and region, such as en-US.', lengthMax: 35 })}
      ${textField(form, { name: 'topic', label: 'Topic of all', hint: 'Such as Small agencies.', isOptional: true, lengthMax: 60 })}
      ${checkField(form, { name: 'collect', label: 'Have engines asked these questions', isTicked: true })}
      <p class="actions">
        <button class="button primary">
          ${fresh.length === 0 ? 'Add the questions' : 'Add the ticked questions'}
        </button>
        <a href="/w/${workspace.slug}/start">Later</a>
      </p>
      <p class="hint">
        Without a schedule nothing is asked, and nothing costs money, before you see the price.
      </p>
    </form>`;
  const lead = 'What your buyers would type. Ten or more are needed to prove a change.';
  const title = 'What should engines be asked?';
  return workspacePage(context, { title, lead, content, status });
}

/** The topics of an engine's questions, as it ordered them. */
function proposedTopics(proposals: EngineProposals | undefined): readonly ProposedTopic[] {
  const topics = Map.groupBy(proposals?.questions ?? [], ({ topic }) => topic);
  return Array.from(topics, ([topic, questions]) => ({
    topic: topic === '' ? 'Proposed by the engine' : `${topic} (proposed by the engine)`,
    texts: questions.map(({ text }) => text),
  }));
}

/** The form is a link's query, so that it can be changed without writing anything. */
function offeringForm(context: WorkspaceContext, { what, who, where }: Offering): Html {
  const form = { ...emptyForm, typed: { what, who, where } };
  return html`<form method="get" class="panel" action="/w/${context.workspace.slug}/start/prompts">
    ${textField(form, { name: 'what', label: 'What you sell, in the singular', hint: 'Such as newsletter tool.', lengthMax })}
    ${textField(form, { name: 'who', label: 'For whom', hint: 'Such as small shops.', isOptional: true, lengthMax })}
    ${textField(form, { name: 'where', label: 'Where', hint: 'Such as Canada.', isOptional: true, lengthMax })}
    <p class="actions"><button class="button">Propose questions</button></p>
  </form>`;
}

function topicPart({ topic, texts }: ProposedTopic, fresh: readonly PastedLine[]): Content {
  const lines = fresh.filter(({ text }) => texts.includes(text));
  if (lines.length === 0) return undefined;
  return html`<fieldset>
    <legend>${topic}</legend>
    ${lines.map(
      ({ text, isBranded, namesCompetitor }) =>
        html`<label class="check"
          ><input type="checkbox" name="prompt[]" value="${text}" ${!isBranded && html` checked`} />
          <span>
            ${text} ${namesCompetitor && html`<span class="tag">names a competitor</span>`}
            ${isBranded && html`<span class="tag">names you: asked, not counted</span>`}
          </span></label
        >`,
    )}
  </fieldset>`;
}

const fields = ['own', 'locale', 'topic', 'collect'] as const;

async function save(context: WorkspaceContext): Promise<Result> {
  const { typed, values } = readListForm(context.request.body, fields, 'prompt[]');
  const { store, clock } = context;
  const { id: workspaceId, slug } = context.workspace;
  const locale = canonicalTag(typed.locale.trim()) ?? '';
  if (!hasRegion(locale)) {
    const faults = { locale: 'Expected a language with its region, such as en-US.' };
    return show(context, { typed, faults }, 400);
  }
  const topic = parseTag(typed.topic);
  if (topic === undefined && typed.topic.trim() !== '') {
    const faults = { topic: 'Expected 1 to 60 characters, without commas.' };
    return show(context, { typed, faults }, 400);
  }
  const place = { locale, language: languageOf(locale) };
  const ticked = values.flatMap((value) => value.split(/\r\n|\n|\r/));
  const pasted = [...ticked, typed.own].join('\n');
  const { fresh, invalid, tracked } = await previewPaste(store.reader, workspaceId, {
    pasted,
    ...place,
  });
  const [fault] = invalid;
  if (fault !== undefined) {
    return show(context, { typed, faults: faultsOf(fault, ticked) }, 400);
  }
  if (fresh.length === 0 && tracked.length === 0) {
    const faults = { own: 'Tick or write at least one question.' };
    return show(context, { typed, faults }, 400);
  }
  const userId = personOf(context).user.id;
  const added = await addPrompts(store, {
    workspaceId,
    ...place,
    texts: fresh.map(({ text }) => text),
    topic,
    name: 'chosen prompts',
    importedBy: userId,
    clock,
  });
  if (added > 0) await note(context, 'prompts_added', { name: amount(added, 'prompt') });
  if (typed.collect === 'on') {
    const ids = fresh.map(({ id }) => id);
    const collected = await switchPrompts(store, workspaceId, { ids, isOn: true });
    if (collected > 0)
      await note(context, 'prompts_collected', { name: amount(collected, 'prompt') });
  }
  return { redirect: `/w/${slug}/start` };
}

/** The ticked questions come before the lines of the person's own, and have no number on the page. */
function faultsOf(
  { line, fault }: { readonly line: number; readonly fault: string },
  ticked: readonly string[],
): FormState['faults'] {
  const text = ticked[line - 1];
  if (text === undefined) return { own: `Line ${line - ticked.length}: ${fault}` };
  return { ticked: `The ticked question "${shorten(text.trim(), 80)}": ${fault}` };
}
