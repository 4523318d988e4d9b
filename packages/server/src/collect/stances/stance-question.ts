import { hash } from 'node:crypto';
import { z } from 'zod';
import { stanceVersion } from '../../answers/stances/question.ts';
import type { AskedSubject } from '../../answers/stances/question.ts';
import type { TextSpan } from '../../answers/stances/text-span.ts';
import { contentId } from '../../values/uuid.ts';

/** The question about one answer. */
export interface StanceQuestion {
  readonly workspaceId: string;
  readonly id: string;
  readonly runId: string;
  readonly subjects: readonly AskedSubject[];
  readonly question: string;
}

/** The id of a question: the same question about the same answer and subjects is never asked twice. */
export function judgementId(
  { workspaceId, runId, subjects }: Pick<StanceQuestion, 'workspaceId' | 'runId' | 'subjects'>,
  { judge, answer }: { judge: string; answer: string },
): string {
  const ids = subjects.map(({ id }) => id).toSorted();
  const text = hash('sha256', answer);
  return contentId('judgement', [workspaceId, runId, text, judge, stanceVersion, ...ids]);
}

const askedSchema = z.object({
  kind: z.string(),
  version: z.number(),
  subjects: z.array(
    z.object({ id: z.string(), pieces: z.array(z.tuple([z.number(), z.number()])) }),
  ),
});

/** What is kept of a question, so that its response can be read later. */
export function toAsked({ subjects }: StanceQuestion, kind: string): string {
  return JSON.stringify({
    kind,
    version: stanceVersion,
    subjects: subjects.map(({ id, items }) => ({
      id,
      pieces: items.flat().map(({ start, end }) => [start, end]),
    })),
  });
}

/** The kept facts of a question: its engine's kind, and the pieces shown of each subject. */
export function parseAsked(asked: string): {
  readonly kind: string;
  readonly version: number;
  readonly subjects: ReadonlyArray<{ readonly id: string; readonly pieces: readonly TextSpan[] }>;
} {
  const { subjects, ...rest } = askedSchema.parse(JSON.parse(asked));
  return {
    ...rest,
    subjects: subjects.map(({ id, pieces }) => ({
      id,
      pieces: pieces.map(([start, end]) => ({ start, end })),
    })),
  };
}
