/** The states of the pages of prompts and answers, in the demo's workspace. */
import { readAnswerList } from '../../src/reports/answer-pages/answer-list.ts';
import { readAnswerReport } from '../../src/reports/answer-pages/answer-report.ts';
import type { Store } from '../../src/storage/store.ts';
import type { PageState } from './page-state.ts';
import { pastePrompts } from './page-acts.ts';
import type { Person } from './people.ts';

/** The list of answers, and answers of each kind. */
export async function answerStates(
  { reader: db }: Store,
  { workspaceId, person }: { workspaceId: string; person: Person },
): Promise<PageState[]> {
  const source = { db, workspaceId };
  const [read, refused] = await Promise.all(
    (['answered', 'refused'] as const).map((outcome) =>
      readAnswerList(source, { outcome, rowsMax: 1 }),
    ),
  );
  const [first] = read?.rows ?? [];
  const report = await readAnswerReport(source, {
    runId: first?.run_id ?? '',
    list: { rowsMax: 1 },
  });
  const answers = '/w/demo/answers';
  const path = `${answers}/${first?.run_id}`;
  return [
    { name: 'answers', path: answers },
    { name: 'answers-filtered', path: `${answers}?weeks=12&engine=${first?.engine}&cited=false` },
    { name: 'answers-of-a-prompt', path: `${answers}?prompt_id=${first?.prompt_id}` },
    { name: 'answers-none-fit', path: `${answers}?from=2020-01-01&to=2020-01-02` },
    { name: 'answers-none', path: '/w/empty/answers' },
    { name: 'answer', path },
    { name: 'answer-refused', path: `${answers}/${refused?.rows[0]?.run_id}` },
    { name: 'answers-beside', path: `${path}?beside=${report?.others[0]?.run_id}` },
    { name: 'answer-not-found', path: `${answers}/nothing`, status: 404 },
  ].map((state) => ({ ...state, person }));
}

/** The list of prompts, one prompt of each kind, and the form that adds some. */
export async function promptStates(
  { reader }: Store,
  { workspaceId, ada, ben }: { workspaceId: string; ada: Person; ben: Person },
): Promise<PageState[]> {
  const rows = await reader
    .selectFrom('runs')
    .select(['prompt_id', 'branded'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('run_at', 'desc')
    .execute();
  const prompts = '/w/demo/prompts';
  const of = (isBranded: boolean) =>
    `${prompts}/${rows.find(({ branded }) => Boolean(branded) === isBranded)?.prompt_id}`;
  return [
    { name: 'prompts', path: prompts, person: ada },
    { name: 'prompts-of-a-viewer', path: `${prompts}?sort=most_cited&weeks=12`, person: ben },
    { name: 'prompts-none-fit', path: `${prompts}?text=nothing`, person: ada },
    { name: 'prompts-none', path: '/w/empty/prompts', person: ada },
    { name: 'prompt', path: of(false), person: ada },
    { name: 'prompt-of-a-viewer', path: `${of(false)}?weeks=12&engine=chatgpt`, person: ben },
    { name: 'prompt-branded', path: of(true), person: ada },
    {
      name: 'prompt-not-asked-then',
      path: `${of(false)}?from=2020-01-01&to=2020-01-02`,
      person: ada,
    },
    {
      name: 'prompts-pasted',
      path: '/w/demo/start/prompts',
      person: ada,
      act: pastePrompts,
      status: 400,
    },
  ];
}
