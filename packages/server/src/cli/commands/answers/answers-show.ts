import { listAnswerMentions } from '../../../answers/scores/answer-mentions.ts';
import { readAnswerEvidence } from '../../../collect/ledger/evidence.ts';
import { readAnswerPage } from '../../../reports/answers.ts';
import { readCohortChanges } from '../../../reports/cohort-changes.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { Refusal } from '../../../refusals.ts';
import { cohortChangeWords } from '../../words/cohort-change-words.ts';
import { answerLines, evidenceLines } from './answer-lines.ts';
import { findRun } from './find-run.ts';

export const answersShowCommand = defineWorkspaceCommand({
  name: 'show',
  summary: 'print one whole answer, with marks where it names subjects',
  description:
    'Prints what was asked, the whole answer with [[ ]] around each mention of a cited subject, who is cited with rank and sentence, and the sources with their owners; for an answer that Overheard asked for, also the model, searches, pages read and cost. Characters that a terminal would act on are replaced; --json has the text as it came.',
  arguments: { run: word('the run: its id or the beginning of it') },
  json: '{answer, mentions:[{subject_id, name, text, position, end}], evidence, changes:[{engine, date, kind, models, models_before}]}',
  examples: [
    'overheard answers show 3c1d9a7e --workspace acme',
    "overheard answers show 3c1d9a7e --workspace acme --json | jq -r '.answer.text'",
  ],
  run: async (context, { run: typed }) =>
    inSnapshot(context, async (source) => {
      const { db, workspaceId } = source;
      const runId = await findRun(db, context, typed);
      const { rows } = await readAnswerPage(source, { runId, rowsMax: 1 });
      const [answer] = rows;
      if (answer === undefined) {
        throw new Refusal('run_without_answer', { id: runId });
      }
      const mentions = await listAnswerMentions(db, workspaceId, answer);
      const evidence = await readAnswerEvidence(context.store, workspaceId, runId);
      const date = answer.run_at.slice(0, 10);
      const { engine } = answer;
      const changes = await readCohortChanges(source, { from: date, to: date, engine });
      return {
        json: { answer, mentions, evidence: evidence ?? null, changes },
        verbatim: [
          ...answerLines(answer, mentions),
          ...(evidence === undefined ? [] : ['', ...evidenceLines(evidence)]),
          ...changes.map(cohortChangeWords),
        ],
      };
    }),
});
