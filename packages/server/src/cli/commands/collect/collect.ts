import { deriveActions } from '../../../answers/actions/derive.ts';
import { readStatus } from '../../../collect/ledger/status.ts';
import { longPromptsWords, readPromptsToAsk } from '../../../collect/ledger/prompts-to-ask.ts';
import { restoredTodayWords } from '../../../collect/ledger/restored-today.ts';
import type { EngineStatus } from '../../../collect/ledger/status.ts';
import { toUsd } from '../../../collect/ledger/micros.ts';
import { collect } from '../../../collect/collect.ts';
import type { CollectProgress } from '../../../collect/collect.ts';
import { settings } from '../../../config.ts';
import { plural } from '../../../values/plural.ts';
import {
  defineGroup,
  defineStoreCommand,
  defineWorkspaceCommand,
} from '../../define/define-command.ts';
import { flag, list, number } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Lines } from '../../../values/printable.ts';
import { dollars } from '../../../values/usd.ts';
import { refusalWords } from '../../../refusals.ts';
import { switchedOffWords } from '../../../collect/ledger/switched-off.ts';
import { collectEstimateCommand } from './collect-estimate.ts';
import { collectPlanCommand } from './collect-plan.ts';
import { collectRereadCommand } from './collect-reread.ts';
import { newGapsWords } from '../../words/new-gaps-words.ts';
import { askingOptions } from '../../collecting/asking-options.ts';
import { atOnce } from '../../collecting/at-once.ts';
import { runWorker } from '../../../collect/worker.ts';
import { createLog } from '../../terminal/log.ts';
import { logWork } from '../../collecting/log-work.ts';

const collectWorkerCommand = defineStoreCommand({
  name: 'worker',
  summary: 'ask engines the due readings, until it is stopped',
  description:
    'Asks the due readings of every workspace that has a budget, as `overheard collect run` does, and checks twice a minute for more. Several workers may run at once. SIGTERM or Ctrl-C ends it after waiting for the open questions.',
  options: { atOnce, priceFile: settings.priceFile, logLevel: settings.logLevel },
  help: '\nThe log goes to stdout, with one line of JSON for each round of questions.\n',
  examples: ['overheard collect worker'],
  run: async ({ io, store }, { atOnce: questions, priceFile, logLevel }) => {
    const log = createLog(io, logLevel);
    // Several workspaces may end at once: find their gaps one after the other.
    let finding: Promise<unknown> = Promise.resolve();
    await runWorker(store, {
      ...(await askingOptions(io, priceFile)),
      atOnce: questions,
      onEvent: (event) => {
        logWork(log, event);
        if (!('counts' in event) || event.counts.runs === 0) return;
        const { workspace = '', workspaceId } = event;
        finding = finding
          .then(() => deriveActions(store, { workspaceId, clock: io.clock }))
          .catch((error: unknown) =>
            log.error({ workspace, err: store.mapFailure(error) }, 'finding gaps failed'),
          );
      },
    });
    await finding;
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  },
});

const runCommand = defineWorkspaceCommand({
  name: 'run',
  summary: 'ask engines the due readings, and import their answers',
  description:
    'Plans the readings of the UTC day, asks the due ones within the budget, and imports the answers. A reading is never billed twice, even if several processes run or one is killed. Ctrl-C ends it after waiting for the open questions.',
  options: {
    now: flag('ask the whole current sweep at once, not only due readings'),
    engine: list('<slug>', 'ask this engine only'),
    atOnce,
    priceFile: settings.priceFile,
  },
  json: '{done, failed, unknown, cost_usd, runs, not_importable, is_over_budget, left_out}',
  examples: [
    'overheard collect run --workspace acme',
    'overheard collect run --workspace acme --now --engine chatgpt_api',
  ],
  run: async (
    { io, store, workspaceId, slug, progress },
    { now, engine, atOnce: questions, priceFile },
  ) => {
    const result = await collect(store, {
      workspaceId,
      engines: engine,
      isNow: now,
      atOnce: questions,
      ...(await askingOptions(io, priceFile)),
      onProgress: (at) => progress.update(() => progressWords(at)),
    });
    const { costMicros, leftOut, ...counts } = result;
    const words = leftOut.map((refusal) => refusalWords(refusal));
    const isOn = (await readPromptsToAsk(store, workspaceId)).length > 0;
    const gaps = result.runs > 0 && (await deriveActions(store, { workspaceId, clock: io.clock }));
    return {
      json: { ...counts, costUsd: toUsd(costMicros), leftOut: words },
      words: [
        ...summaryLines(result, { slug, isOn, isStopped: io.signal.aborted }),
        gaps && newGapsWords(gaps, { slug }),
      ],
    };
  },
});

function progressWords({ done, failed, unknown, costMicros }: CollectProgress): string {
  return `Asked ${plural(done + failed + unknown, 'question')}, ${dollars(toUsd(costMicros))}`;
}

function summaryLines(
  {
    done,
    failed,
    unknown,
    costMicros,
    runs,
    notImportable,
    isOverBudget,
    leftOut,
  }: CollectProgress,
  { slug, isOn, isStopped }: { slug: string; isOn: boolean; isStopped: boolean },
): Lines {
  const readings = done + failed + unknown;
  return [
    readings === 0 &&
      !isOverBudget &&
      leftOut.length === 0 &&
      (isOn
        ? 'Nothing was asked: no reading is due.'
        : `Nothing was asked: no active prompt is switched on. Next: overheard prompts collect on --all --workspace ${slug}`),
    readings > 0 &&
      `Asked ${plural(readings, 'question')} for ${dollars(toUsd(costMicros))}; imported ${plural(runs, 'run')}.`,
    failed > 0 && `${plural(failed, 'question')} failed and cost nothing.`,
    unknown > 0 &&
      `${plural(unknown, 'question')} may have been billed without an answer: charged at the most that they can cost, and not sent again.`,
    notImportable > 0 && notImportableWords(notImportable),
    isOverBudget &&
      `The budget is used up: see \`overheard budget show --workspace ${slug}\`. Readings that are not asked today are missed.`,
    isStopped && 'Stopped: run the command again to ask the rest of the day.',
    ...leftOut.map((refusal) => `Left out: ${refusalWords(refusal)}`),
    `See \`overheard collect status --workspace ${slug}\`.`,
  ];
}

function notImportableWords(count: number, engine = ''): string {
  return `${plural(count, 'answer')}${engine} could not be imported. The responses are kept: after an upgrade \`overheard collect reread --apply\` tries again.`;
}

const statusCommand = defineWorkspaceCommand({
  name: 'status',
  summary: 'show the state of readings, by engine',
  description:
    'Shows the readings of the last days by engine: done, failed, unknown, missed and skipped ones, their cost, searches, and the models that answered.',
  options: { days: number('days to count, today included', { min: 1, max: 366, initial: 7 }) },
  json: '{from, engines:[{engine, off_reason, wait_until, readings, cost_usd, ...}], long_prompts, restored_at}',
  examples: ['overheard collect status --workspace acme --days 30'],
  run: async ({ io, store, workspaceId }, { days }) => {
    const clock = await store.ledgerClock(io.clock);
    const status = await readStatus(store, workspaceId, { days, clock });
    return {
      json: status,
      table: tableOf(status.engines, 'No engine is set up. Add one with `overheard engine add`.', {
        ENGINE: ({ engine }) => engine,
        PLANNED: ({ readings }) => readings.planned + readings.sent,
        DONE: ({ readings }) => readings.done,
        FAILED: ({ readings }) => readings.failed,
        UNKNOWN: ({ readings }) => readings.unknown,
        MISSED: ({ readings }) => readings.missed,
        SKIPPED: ({ readings }) => readings.skipped,
        COST: ({ costUsd }) => dollars(costUsd),
        SEARCHES: ({ searchesPerAnswer: searches }) => searches?.toFixed(1) ?? null,
        'WITHOUT SEARCH': (engine) => engine.answersWithoutSearch,
      }),
      words: [
        ...status.engines.flatMap(engineLines),
        longPromptsWords(status.longPrompts),
        ...restoredTodayWords(status.restoredAt, clock()),
      ],
    };
  },
});

function engineLines(status: EngineStatus): Lines {
  const { engine, offReason, waitUntil, notImportable, models } = status;
  return [
    offReason !== null && `${engine} is ${switchedOffWords(engine, offReason)}.`,
    waitUntil !== null && `${engine} asks clients to wait until ${waitUntil}.`,
    notImportable > 0 && notImportableWords(notImportable, ` of ${engine}`),
    ...models.map(({ model, since }, place) =>
      place === 0 && models.length === 1
        ? `${engine} answered as ${model}.`
        : `${engine} answered as ${model} since ${since}.`,
    ),
  ];
}

export const collectCommand = defineGroup({
  name: 'collect',
  summary: 'put prompts to engines, within a budget',
  description:
    'Collecting: Overheard asks engines the switched-on prompts several times a day, and imports the answers.',
  commands: [
    collectEstimateCommand,
    collectPlanCommand,
    runCommand,
    collectWorkerCommand,
    statusCommand,
    collectRereadCommand,
  ],
});
