import { reread } from '../../../collect/reread.ts';
import type { Rereading } from '../../../collect/reread.ts';
import { amountOrNo, plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { tableOf } from '../../define/table-of.ts';
import { withConsequence } from '../../words/consequence.ts';

const examplesMax = 10;

export const collectRereadCommand = defineWorkspaceCommand({
  name: 'reread',
  summary: 'read stored responses again, after an upgrade',
  description:
    'Reads the stored responses of engines with this version, and shows which answers change. With --apply it replaces them and updates detections, scores, counts and derived actions, completely or not at all. Asks no engine and costs nothing.',
  options: { apply: flag('replace the answers that change') },
  json: '{read, compared, replaced, fields, examples:[{run_id, engine, run_at, differences:[{field, before, now}]}], scores, actions, runs, is_applied}',
  examples: [
    'overheard collect reread --workspace acme',
    'overheard collect reread --workspace acme --apply',
  ],
  run: async ({ io, store, workspaceId, slug, progress }, { apply }) => {
    const work = reread(store, {
      workspaceId,
      isDryRun: !apply,
      examplesMax,
      clock: io.clock,
      signal: io.signal,
      onRead: (responses) => progress.update(() => `Read ${plural(responses, 'response')}`),
    });
    const outcome = await withConsequence(store, work, { onRefusal: () => 'Nothing was changed.' });
    const { hasChanged: _, ...json } = outcome;
    const rows = outcome.examples.flatMap(({ differences, ...run }) =>
      differences.map(({ field, before, now }) => ({ ...run, field, ...excerpts(before, now) })),
    );
    return {
      json: { ...json, isApplied: apply },
      table: tableOf(rows, '', {
        RUN: ({ runId }) => runId.slice(0, 8),
        ENGINE: ({ engine }) => engine,
        AT: ({ runAt }) => runAt,
        FIELD: ({ field }) => field,
        BEFORE: ({ before }) => before,
        NOW: ({ now }) => now,
      }),
      words: summaryLines(outcome, { isApplied: apply, slug }),
    };
  },
});

function summaryLines(
  { read, replaced, fields, examples, scores, actions, runs }: Rereading,
  { isApplied, slug }: { isApplied: boolean; slug: string },
): Lines {
  const again = `Read ${plural(read, 'stored response')} again`;
  if (replaced === 0) return [`${again}: every answer is read as before.`, runsLine(runs)];
  const differing = Object.entries(fields)
    .filter(([, count]) => count > 0)
    .map(([field, count]) => `${field} of ${count}`);
  const { opened, updated, removed } = actions;
  return [
    `${again}: ${plural(replaced, 'answer')} ${isApplied ? 'replaced' : 'would be replaced'} (${differing.join(', ')}).`,
    examples.length < replaced && `The table shows the first ${examples.length} of them.`,
    `${isApplied ? 'This changed' : 'This would change'} ${amountOrNo(scores.length, 'daily score')} and ${amountOrNo(opened + updated + removed, 'action')}.`,
    runsLine(runs),
    !isApplied &&
      `Nothing was changed. To replace them: overheard collect reread --workspace ${slug} --apply`,
  ];
}

function runsLine(runs: number): string | false {
  return (
    runs > 0 && `Imported ${plural(runs, 'run')} of answers that could not be imported before.`
  );
}

const contextMax = 20;
const excerptMax = 60;

/** Cuts both values to the part from their first difference on. */
function excerpts(before: unknown, now: unknown): { before: string; now: string } {
  const [left, right] = [textOf(before), textOf(now)];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const from = Math.max(0, start - contextMax);
  const cut = (text: string): string =>
    `${from > 0 ? '...' : ''}${text.slice(from, from + excerptMax).toWellFormed()}${text.length > from + excerptMax ? '...' : ''}`;
  return { before: cut(left), now: cut(right) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
