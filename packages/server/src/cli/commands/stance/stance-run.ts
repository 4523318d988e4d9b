import { toUsd } from '../../../collect/ledger/micros.ts';
import { judgeAnswers } from '../../../collect/stances/judge-answers.ts';
import type { JudgeProgress } from '../../../collect/stances/judge-answers.ts';
import { settings } from '../../../config.ts';
import { refusalWords } from '../../../refusals.ts';
import { plural } from '../../../values/plural.ts';
import type { Lines } from '../../../values/printable.ts';
import { dollars } from '../../../values/usd.ts';
import { askingOptions } from '../../collecting/asking-options.ts';
import { atOnce } from '../../collecting/at-once.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';

export const stanceRunCommand = defineWorkspaceCommand({
  name: 'run',
  summary: 'ask the judge about answers that are not judged yet',
  description:
    'Asks the judge about the answers of the last 28 days in its sample, within its budget, and stores how they present each subject, with a quote. An answer is never billed twice, even if several processes run or one is killed. Ctrl-C ends it after waiting for the open questions.',
  options: { atOnce, priceFile: settings.priceFile },
  json: '{answers, done, failed, unknown, cost_usd, judged, void, left, is_over_budget, left_out}',
  examples: ['overheard stance run --workspace acme'],
  run: async ({ io, store, workspaceId, slug, progress }, { atOnce: questions, priceFile }) => {
    const result = await judgeAnswers(store, {
      workspaceId,
      atOnce: questions,
      ...(await askingOptions(io, priceFile)),
      onProgress: (at) => progress.update(() => progressWords(at)),
    });
    const { costMicros, leftOut, ...counts } = result;
    const words = leftOut.map((refusal) => refusalWords(refusal));
    return {
      json: { ...counts, costUsd: toUsd(costMicros), leftOut: words },
      words: summaryLines(result, { slug, isStopped: io.signal.aborted }),
    };
  },
});

function progressWords({ answers, done, failed, unknown, costMicros }: JudgeProgress): string {
  const asked = done + failed + unknown;
  return `Judged ${asked} of ${plural(answers, 'answer')}, ${dollars(toUsd(costMicros))}`;
}

function summaryLines(
  progress: JudgeProgress,
  { slug, isStopped }: { slug: string; isStopped: boolean },
): Lines {
  const { answers, done, failed, unknown, costMicros, judged, left, isOverBudget, leftOut } =
    progress;
  const asked = done + failed + unknown;
  return [
    answers === 0 && 'Nothing was asked: no answer is left to judge.',
    asked > 0 && `Asked ${plural(asked, 'question')} for ${dollars(toUsd(costMicros))}.`,
    judged > 0 && `Stored ${plural(judged, 'stance')}, each with its quote.`,
    progress.void > 0 &&
      `${plural(progress.void, 'verdict')} without a quote of the answer: stored as void.`,
    failed > 0 && `${plural(failed, 'question')} failed and cost nothing.`,
    unknown > 0 &&
      `${plural(unknown, 'question')} may have been billed without an answer: charged at the most that they can cost, and not sent again.`,
    left > 0 && `Left to judge: ${plural(left, 'answer')}.`,
    isOverBudget &&
      `The budget of the judge is used up, or what is left of it is less than one question may cost. Raise it with \`overheard stance set --workspace ${slug}\`.`,
    isStopped && 'Stopped: run the command again for the rest.',
    ...leftOut.map((refusal) => refusalWords(refusal)),
    left > 0 &&
      !isOverBudget &&
      !isStopped &&
      leftOut.length === 0 &&
      'The judge was switched off meanwhile: `overheard engine list` says why.',
  ];
}
