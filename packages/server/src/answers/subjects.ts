import { hash } from 'node:crypto';
import type { Outcome } from '@overheard/contract';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import { readAliases, readDomains, readPaths } from '../storage/queries/read-subject-words.ts';
import { wholeText } from '../values/counted-range.ts';
import type { CountedRange } from '../values/counted-range.ts';
import { contentId } from '../values/uuid.ts';
import { createDetector } from './detection/detect.ts';
import type { Judgement } from './detection/detect.ts';
import { findCountedRange } from './detection/furniture.ts';
import type { PageText } from './detection/furniture.ts';
import { guessLanguage } from './detection/language/guess-language.ts';
import type { AnswerSource, DetectableSubject } from './detection/subject.ts';

/** The live subjects of a workspace in the form that detection needs, with names for sentences. */
export interface TrackedSubject extends DetectableSubject {
  readonly name: string;
}

/** Reads the live subjects: the brand first. */
export async function readSubjects(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<TrackedSubject[]> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'subject_type', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .orderBy('subject_type')
    .orderBy('id')
    .execute();
  const aliasesOf = await readAliases(db, workspaceId);
  const domainsOf = await readDomains(db, workspaceId);
  const pathsOf = await readPaths(db, workspaceId);
  return subjects.map(({ id, subject_type: type, name }) => ({
    id,
    type,
    name,
    aliases: aliasesOf(id),
    domains: domainsOf(id),
    paths: pathsOf(id),
  }));
}

/** Reads the names of all subjects, removed ones too, by id. */
export async function readSubjectNames(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Map(subjects.map(({ id, name }) => [id, name]));
}

/** The subjects that a prompt's text names or links to. */
export interface PromptFacts {
  readonly isBranded: boolean;
  readonly namesCompetitor: boolean;
}

/** A prompt's text as it was asked. Its language (BCP 47) is undefined if unknown. */
export interface AskedPrompt {
  readonly asked: string;
  readonly language: string | undefined;
}

/** The subjects that runs are judged by. Two sets with the same id find the same mentions. */
export interface SubjectSet {
  readonly id: string;
  /** Each subject's id and a hash of its words. */
  readonly subjects: ReadonlyArray<readonly [id: string, words: string]>;
}

/** The part of a run that is judged. Only answered runs have detections. */
export interface JudgedText {
  readonly engine: string;
  readonly outcome: Outcome | null;
  readonly answer: string;
}

/** A judgement with the range of the text that it rests on. */
export interface AnswerJudgement extends Judgement {
  readonly range: CountedRange;
}

/** Judges the runs of a workspace. */
export interface Judge {
  readonly judgeAnswer: (
    run: JudgedText,
    sources: readonly AnswerSource[],
    prompt: AskedPrompt,
  ) => AnswerJudgement;
  readonly judgePrompt: (prompt: AskedPrompt) => PromptFacts;
  /** The set of subjects, stored with the runs that it judged. */
  readonly subjectSet: SubjectSet;
  /** Sentences for the operator about subjects that will be found wrongly. */
  readonly warnings: readonly string[];
}

/**
 * Makes the judge of these subjects, which leaves out the texts of pages. Throws for a pattern that
 * cannot be used.
 */
export function createJudge(
  subjects: readonly TrackedSubject[],
  pageTexts: readonly PageText[] = [],
): Judge {
  const detect = createDetector(subjects);
  const subjectSet = toSubjectSet(subjects);
  return { judgeAnswer, judgePrompt, subjectSet, warnings: subjects.flatMap(warningsOf) };

  function judgeAnswer(
    { engine, outcome, answer }: JudgedText,
    sources: readonly AnswerSource[],
    { asked, language }: AskedPrompt,
  ): AnswerJudgement {
    if (outcome !== 'answered') return { detections: [], sites: [], range: wholeText };
    const range = findCountedRange(engine, answer, pageTexts);
    return { ...detect(answer, sources, guessLanguage(language, asked), range), range };
  }

  function judgePrompt({ asked, language }: AskedPrompt): PromptFacts {
    const { detections } = detect(asked, [], guessLanguage(language, asked));
    const cited = detections.filter(({ isCited }) => isCited);
    return {
      isBranded: cited.some(({ subjectType }) => subjectType === 'brand'),
      namesCompetitor: cited.some(({ subjectType }) => subjectType === 'competitor'),
    };
  }
}

function toSubjectSet(all: readonly TrackedSubject[]): SubjectSet {
  const subjects = all
    .map(({ id, aliases, domains, paths }): readonly [string, string] => [
      id,
      hash('sha256', JSON.stringify([aliases, domains, paths])).slice(0, 16),
    ])
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { id: contentId('subjects', subjects.flat()), subjects };
}

/** Stores the set, so that reports know which subjects a run was judged for. */
export async function keepSubjectSet(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { id, subjects }: SubjectSet,
): Promise<void> {
  await transaction
    .insertInto('subject_sets')
    .values({ workspace_id: workspaceId, id, subjects: JSON.stringify(subjects) })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .execute();
}

function warningsOf({ name, aliases }: TrackedSubject): string[] {
  return aliases
    .filter(({ alias, match }) => match === 'default' && Array.from(alias).length === 1)
    .map(
      ({ alias }) =>
        `The alias "${alias}" of ${name} is one character, so other words will match it. Make it case-sensitive, or give a longer one.`,
    );
}
