import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { answersImportCommand } from './answers-import.ts';
import { answersListCommand } from './answers-list.ts';
import { answersRemoveCommand } from './answers-remove.ts';
import { redetectCommand } from './redetect.ts';
import { listAnswerMentions } from '../../../answers/scores/answer-mentions.ts';
import { costBasisWords, readAnswerEvidence } from '../../../collect/ledger/evidence.ts';
import { readAnswerPage, readAnswerPages } from '../../../reports/answers.ts';
import { readCohortChanges } from '../../../reports/cohort-changes.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { Refusal } from '../../../refusals.ts';
import { cohortChangeWords } from '../../words/cohort-change-words.ts';
import { findRun } from './find-run.ts';
import { dollars } from '../../../values/usd.ts';
import { plural } from '../../../values/plural.ts';
import type { AnswerEvidence } from '../../../collect/ledger/evidence.ts';
import type { AnswerRow } from '@overheard/contract';
import type { AnswerMention } from '../../../answers/scores/answer-mentions.ts';
import { answers } from '@overheard/contract';
import { exportedFields } from '../../../answers/import/parse-answer.ts';
import { readPromptNames } from '../../../reports/known-names.ts';
import { answerSlices } from '../../../transfer/answer-slices.ts';
import { writeSlices } from '../../../transfer/export-rows.ts';
import { answerOptions, answerQuery, openDays } from '../../filters/parameter.ts';
import { readDays } from '../../filters/read-period.ts';
import { outputOptions, writeExport } from '../export/export.ts';

const { days } = answerOptions;

/** Most answers in memory at once. Fewer if they are long. */
const pageRows = 500;

const help = `
The rows are what \`overheard answers import\` takes, each with the id of its run and its prompt, so
that the same answers come back. Import the prompts first (\`overheard export prompts\`) if their
texts were changed or some are not active. Answers that were kept with --accept or --new-engine need
the same option again. Runs that were imported with their detections alone have no answer: they are
in \`overheard export detections\`.
`;

const answersExportCommand = defineWorkspaceCommand({
  name: 'export',
  summary: 'export answers as rows that can be imported again',
  description:
    'Exports answers as they came, the most recent first. Without options it exports all days. The export is a snapshot of one moment.',
  options: {
    ...answerOptions,
    ...openDays,
    days: { ...days, summary: 'number of days up to --to or today, instead of --from' },
    ...outputOptions,
  },
  help,
  examples: [
    'overheard answers export --workspace acme > answers.ndjson',
    'overheard answers export --workspace acme --engine chatgpt --output chatgpt.csv',
    'overheard answers export --workspace acme | overheard answers import - --workspace other',
  ],
  run: async (context, values) => {
    const query = await answerQuery(context, values, readDays(values, context.io));
    return writeExport(context, values, {
      name: 'answers',
      work: async (options) =>
        inSnapshot(context, async (source) => {
          const prompts = await readPromptNames(source);
          const pages = readAnswerPages(source, { ...query, rowsMax: pageRows });
          const { array } = answers;
          return writeSlices(answerSlices(pages, prompts), {
            ...options,
            fields: exportedFields,
            array,
          });
        }),
    });
  },
});

/**
 * One answer for a person to read: the prompt, the whole text with marks, the cited subjects, and
 * the sources.
 */
function answerLines(answer: AnswerRow, mentions: readonly AnswerMention[]): string[] {
  const { engine, model, run_at: at, outcome, locale, text } = answer;
  return [
    `${engine}${model === null ? '' : ` (${model})`} at ${at}, ${outcome}`,
    `run ${answer.run_id}`,
    `asked: ${answer.prompt} (${locale})`,
    ...countedLines(answer),
    '',
    ...(text === '' ? ['(no text)'] : markedText(text, mentions).split(/\r\n|\r|\n/)),
    '',
    ...citedLines(answer),
    ...searchLines(answer),
    ...sourceLines(answer),
  ];
}

function countedLines({ outcome, branded, names_competitor: hasRival }: AnswerRow): string[] {
  if (outcome !== 'answered') return [`not counted: ${outcome}`];
  if (branded) return ['not counted: the prompt names the brand'];
  return hasRival ? ['the prompt names a competitor'] : [];
}

function citedLines({ cited }: AnswerRow): string[] {
  if (cited.length === 0) return ['Nobody is cited.'];
  return [
    'Cited, by rank:',
    ...cited.flatMap(({ name, how, position, rank, sentence }) => [
      `  ${rank ?? '-'}. ${name}, ${howWords[how]}${position === null ? '' : ` at ${position}`}`,
      ...(sentence === '' ? [] : [`       ${sentence}`]),
    ]),
  ];
}

const howWords = { named: 'named', linked: 'linked', both: 'named and linked' } as const;

function searchLines({ queries }: AnswerRow): string[] {
  if (queries === null) return [];
  if (queries.length === 0) return ['The engine answered without a search.'];
  return [`Searched for ${queries.map((query) => JSON.stringify(query)).join(', ')}.`];
}

function sourceLines({ sources }: AnswerRow): string[] {
  if (sources.length === 0) return ['No sources.'];
  return [
    'Sources:',
    ...sources.map(({ url, title, owner }, index) => {
      const whose = owner === 'other' ? '' : ` (${owner})`;
      return `  ${index + 1}. ${url}${title === '' ? '' : `  ${title}`}${whose}`;
    }),
  ];
}

/** The evidence of an answer, for a person to read: how it was asked and what it cost. */
function evidenceLines(evidence: AnswerEvidence): string[] {
  const { model, searches, retrieved, costUsd, costBasis } = evidence;
  return [
    `Asked over the API for ${dollars(costUsd)}, ${costBasisWords[costBasis]}.`,
    `Model as served: ${model ?? 'not named'}.`,
    searches === null
      ? 'The engine does not report how often it searched.'
      : `It searched ${plural(searches, 'time')}.`,
    retrieved.length === 0
      ? 'It does not name the pages that it read.'
      : `It read ${plural(retrieved.length, 'page')}, cited ones included:`,
    ...retrieved.map(
      ({ url, title = '' }, index) => `  ${index + 1}. ${url}${title === '' ? '' : `  ${title}`}`,
    ),
  ];
}

/** A place in a text, in code points, and the words at it, if known. */
interface Mark {
  readonly position: number;
  readonly text: string;
}

/**
 * A text with `[[` and `]]` around each place. If the text has other words there, as when the place
 * spans lines, only the first word is marked.
 */
export function markedText(text: string, marks: readonly Mark[]): string {
  const ordered = marks.toSorted((left, right) => left.position - right.position);
  let marked = '';
  let [offset, codePoints] = [0, 0];
  for (const { position, text: says } of ordered) {
    // This place is inside the one before.
    if (position < codePoints) continue;
    const start = advance(text, offset, position - codePoints);
    const isSame = says !== '' && text.startsWith(says, start);
    const place = isSame ? says : (/^\S*/.exec(text.slice(start, start + 200))?.[0] ?? '');
    marked += `${text.slice(offset, start)}[[${place}]]`;
    offset = start + place.length;
    codePoints = position + Array.from(place).length;
  }
  return marked + text.slice(offset);
}

/** The offset that is a number of code points after another one. */
function advance(text: string, offset: number, codePoints: number): number {
  let at = offset;
  for (let left = codePoints; left > 0 && at < text.length; left--) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

const answersShowCommand = defineWorkspaceCommand({
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

export const answersCommand = defineGroup({
  name: 'answers',
  summary: 'import, list, show, export and remove answers; judge them again',
  description:
    'Answers: what engines said to prompts. Detections (who was cited), daily scores and actions are derived from them.',
  commands: [
    answersImportCommand,
    redetectCommand,
    answersListCommand,
    answersShowCommand,
    answersExportCommand,
    answersRemoveCommand,
  ],
});
