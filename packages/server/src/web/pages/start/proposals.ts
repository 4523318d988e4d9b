import { proposalQuestion, readProposals } from '../../../answers/engine-proposals.ts';
import type { EngineProposals } from '../../../answers/engine-proposals.ts';
import { reportEngines } from '../../../collect/engine-report.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { allows } from '../../../people/roles.ts';
import { engineName } from '../../../values/engine.ts';
import { amount } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { newId } from '../../../values/uuid.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { trackProposed } from '../../../workspaces/track-proposed.ts';
import type { ProposedName } from '../../../workspaces/track-proposed.ts';
import { addJob, isActive, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { faultWords } from '../../parts/fault-words.ts';
import { refusedPart } from '../../parts/job-part.ts';
import { selectField } from '../../parts/fields.ts';
import { emptyForm, readForm, readListForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

const path = '/w/:slug/start/proposals';

/** The forms that ask an engine for proposals, and track the ticked names. */
export const proposalRoutes: readonly WorkspaceRoute[] = [
  post(path, 'operator', 'ask an engine for proposals', ask),
  post(`${path}/names`, 'editor', 'track proposed names', trackNames),
];

/** The latest question for proposals. */
export async function findProposals(context: WorkspaceContext) {
  const job = await latestJob(context, 'propose');
  return { job, proposals: proposalsOf(job) };
}

function proposalsOf(job: Job | undefined): EngineProposals | undefined {
  const outcome = job?.outcome;
  if (outcome === undefined || !('result' in outcome)) return undefined;
  const { proposals } = outcome.result;
  return readProposals(Array.isArray(proposals) ? (proposals[0] ?? '') : '');
}

async function ask(context: WorkspaceContext): Promise<Result> {
  const { form, engine } = readForm(context.request.body, ['form', 'engine']);
  const { store, workspace } = context;
  const brand = (await listSubjects(store.reader, workspace.id)).find(
    (subject) => subject.subject_type === 'brand',
  );
  const locale = workspace.locale ?? 'en-US';
  const text = proposalQuestion({
    brand: brand?.name ?? workspace.name,
    domain: brand?.domains[0],
    language: new Intl.Locale(locale).language,
  });
  if ((await addJob(context, form, { kind: 'propose', engine, text, locale })) === 'added') {
    await note(context, 'engine_asked', { name: engine });
  }
  return { redirect: `/w/${workspace.slug}/start/prompts` };
}

/** Tracks ticked competitors, and adds ticked spellings to the brand. */
async function trackNames(context: WorkspaceContext): Promise<Result> {
  const { values } = readListForm(context.request.body, [], 'name[]');
  const { store, workspace, clock } = context;
  const names = values.slice(0, namesMax).map((value): ProposedName => {
    const sent = new URLSearchParams(value);
    const spelling = sent.get('spelling');
    return spelling === null
      ? { name: sent.get('name') ?? '', domain: sent.get('domain') ?? '' }
      : { spelling };
  });
  for (const name of await trackProposed(store, workspace.id, { names, clock })) {
    await note(context, 'subject_added', { name });
  }
  return { redirect: `/w/${workspace.slug}/settings/subjects` };
}

const namesMax = 50;

/** Asks for proposals, or shows how that went, with the names to track. */
export async function proposalsPart(context: WorkspaceContext): Promise<Content> {
  const { job, proposals } = await findProposals(context);
  const isOpen = isActive(job);
  const content = html`${job !== undefined && resultPart(context, job)}
  ${proposals !== undefined && (await namesPart(context, proposals))}
  ${!isOpen && allows(context.role, 'operator') && (await askPart(context))}`;
  return html`<live-part id="proposals" ${isOpen && html` waiting`}><section>
    <h2>Let an engine propose</h2>
    ${content}
    <p class="hint">
      Nothing is tracked or asked before you tick it. Without an engine, the form below fills
      questions in.
    </p>
  </section></live-part>`;
}

async function askPart(context: WorkspaceContext): Promise<Html> {
  const { store, clock, prices, workspace } = context;
  const engines = await reportEngines(store, { rows: prices, nowMs: clock() }, clock);
  const options = engines.flatMap(({ name, offReason, boundUsd }) =>
    offReason === null && boundUsd !== null
      ? [[name, `${engineName(name)}, up to ${dollars(boundUsd)}`] as const]
      : [],
  );
  if (options.length === 0) {
    return html`<p>
      It needs one <a href="/engines">engine</a>: one question, for up to its price, gives
      competitors, spellings of your name and questions.
    </p>`;
  }
  return html`<form method="post" action="/w/${workspace.slug}/start/proposals">
    <input type="hidden" name="form" value="${newId(clock)}" />
    ${selectField(emptyForm, { name: 'engine', label: 'Engine', options })}
    <p class="actions"><button class="button">Ask it once</button></p>
  </form>`;
}

function resultPart({ workspace }: WorkspaceContext, job: Job): Content {
  const { outcome, work } = job;
  const name = work.kind === 'propose' ? engineName(work.engine) : '';
  if (isActive(job)) {
    return html`<p role="status">
      ${name} is asked. <a href="/w/${workspace.slug}/start/prompts">Look again</a>
    </p>`;
  }
  if (outcome === undefined || 'failure' in outcome) {
    return html`<p class="notice warn">The question ended early. It may have been billed.</p>`;
  }
  if ('refusal' in outcome) return refusedPart(outcome.refusal);
  const { fault, text, costMicros } = outcome.result;
  const cost =
    typeof costMicros === 'number'
      ? `It cost ${dollars(costMicros / 1e6)}.`
      : 'Its cost is unknown.';
  const [kind] = Array.isArray(fault) ? fault : [];
  if (kind !== undefined) return html`<p class="notice warn">${faultWords(kind)} ${cost}</p>`;
  const proposals = proposalsOf(job);
  if (proposals !== undefined) {
    return html`<p role="status">
      ${name} has answered. ${cost}
      <a href="/w/${workspace.slug}/start/prompts">${amount(proposals.questions.length, 'question')} proposed</a>
    </p>`;
  }
  return html`<p class="notice warn">
      ${name} answered, but proposed nothing that can be read. ${cost}
    </p>
    ${Array.isArray(text) && text.map((words) => html`<p class="answer">${words.slice(0, 1000)}</p>`)}`;
}

async function namesPart(
  { store, workspace, role }: WorkspaceContext,
  { competitors, spellings }: EngineProposals,
): Promise<Content> {
  const subjects = await listSubjects(store.reader, workspace.id);
  const known = new Set(
    subjects.flatMap(({ name, aliases }) =>
      [name, ...aliases.map(({ alias }) => alias)].map((word) => word.toLowerCase()),
    ),
  );
  const isNew = (word: string) => !known.has(word.toLowerCase());
  const names = [
    ...competitors
      .filter(({ name }) => isNew(name))
      .map(({ name, domain }) => ({
        value: { name, domain },
        words: domain === '' ? name : `${name}, ${domain}`,
      })),
    ...spellings
      .filter(isNew)
      .map((spelling) => ({ value: { spelling }, words: `${spelling}: another spelling of you` })),
  ];
  if (names.length === 0 || !allows(role, 'editor')) return undefined;
  return html`<form method="post" action="/w/${workspace.slug}/start/proposals/names">
    <fieldset>
      <legend>Proposed names</legend>
      ${names.map(
        ({ value, words }) =>
          html`<label class="check"
            ><input type="checkbox" name="name[]" value="${String(new URLSearchParams(value))}" checked />
            <span>${words} <span class="tag">proposed</span></span></label
          >`,
      )}
    </fieldset>
    <p class="actions"><button class="button">Track the ticked names, up to ${names.length}</button></p>
  </form>`;
}
