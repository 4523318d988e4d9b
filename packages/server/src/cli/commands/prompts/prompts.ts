import { createJudge, readSubjects } from '../../../answers/subjects.ts';
import { readPromptReport } from '../../../reports/prompts.ts';
import { defineGroup, defineWorkspaceCommand, word, words } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { localeOption, runOptions } from '../../filters/parameter.ts';
import { rateWords } from '../../../values/figure-words.ts';
import { previewPaste, readUsualLocale } from '../../../answers/paste-prompts.ts';
import { addPrompts } from '../../../transfer/add-prompts.ts';
import { parseTag } from '../../../values/tag.ts';
import { languageOf } from '../../../values/language-tag.ts';
import { plural } from '../../../values/plural.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import { countLongPrompts, longPromptsWords } from '../../../collect/ledger/prompts-to-ask.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { flag, parsedText } from '../../define/options.ts';
import { promptsTagCommand } from './prompts-tag.ts';
import { UsageError } from '../../terminal/command-error.ts';

const states = ['on', 'off'];

const promptsCollectCommand = defineWorkspaceCommand({
  name: 'collect',
  summary: 'switch prompts on or off: only those that are on are put to engines',
  description:
    'Switches prompts on or off for `overheard collect run`, which costs money. A prompt is off until a person switches it on.',
  arguments: {
    state: { ...word('on or off'), choices: states },
    id: words('ids of prompts', { isOptional: true }),
  },
  options: { all: flag('all current prompts of the workspace') },
  json: '{changed, long_prompts}',
  examples: [
    'overheard prompts collect on --all --workspace acme',
    'overheard prompts collect off 5c0f7a52-9d3e-5f0b-8a51-3c2f1e0d9b8a --workspace acme',
  ],
  run: async ({ store, workspaceId }, { state, id: ids, all }) => {
    if (all === ids.length > 0) throw new UsageError('Name prompts by their ids, or give --all.');
    const isOn = state === 'on';
    const changed = await switchPrompts(store, workspaceId, { ids: all ? 'all' : ids, isOn });
    const longPrompts = isOn ? await countLongPrompts(store, workspaceId) : 0;
    return {
      json: { changed, longPrompts },
      words: [`Switched ${plural(changed, 'prompt')} ${state}.`, longPromptsWords(longPrompts)],
    };
  },
});

const promptsAddCommand = defineWorkspaceCommand({
  name: 'add',
  summary: 'add questions to track',
  description:
    'Adds prompts, each an argument of its own. They are not asked until `overheard prompts collect` switches that on. A prompt that is tracked already stays as it is.',
  arguments: { text: words('the questions') },
  options: {
    locale: localeOption("locale of all (default: the workspace's usual one, else en-US)"),
    topic: parsedText('<tag>', 'topic of all', {
      parse: parseTag,
      expected: 'It must have 1 to 60 characters, without commas.',
    }),
  },
  json: '{new, tracked, branded, locale}',
  examples: [
    'overheard prompts add "Which CRM suits a small agency?" --workspace acme',
    'overheard prompts add "Welches CRM passt zu uns?" --locale de-DE --workspace acme',
    '    Many at once come from a file: overheard import prompts FILE --workspace acme',
  ],
  run: async ({ io, store, workspaceId, slug }, { text: texts, ...values }) => {
    const locale =
      values.locale ??
      (await readUsualLocale(store.reader, workspaceId)) ??
      (await findWorkspaceById(store.reader, workspaceId))?.locale ??
      'en-US';
    const language = languageOf(locale);
    // A question may have several lines in a shell, and is one prompt all the same.
    const pasted = texts.map((text) => text.replaceAll(/\s+/g, ' ')).join('\n');
    const preview = await previewPaste(store.reader, workspaceId, { pasted, language, locale });
    const { fresh, tracked, repeated, invalid } = preview;
    const added = await addPrompts(store, {
      workspaceId,
      texts: fresh.map(({ text }) => text),
      locale,
      language,
      topic: values.topic,
      name: 'prompts add',
      clock: io.clock,
    });
    const branded = fresh.filter(({ isBranded }) => isBranded).length;
    const known = tracked.length + repeated.length;
    return {
      json: { new: added, tracked: known, branded, locale },
      words: [
        added === 0 ? 'No prompt is new.' : `Added ${plural(added, 'prompt')} (${locale}).`,
        known > 0 && `${plural(known, 'prompt')} tracked already.`,
        branded > 0 &&
          `${plural(branded, 'prompt')} with the brand's name: the answers are not counted.`,
        ...invalid.map(({ line, fault }) => `Left out question ${line}: ${fault}`),
        added > 0 && `Ask engines: overheard prompts collect on --all --workspace ${slug}`,
      ],
    };
  },
});

const { from, to, days } = runOptions;

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the prompts with how often they were asked and the brand was cited',
  description:
    'Lists every prompt with its language, whether it is active or names the brand, its stored runs and the last one, and how often the brand was cited in its counted runs of a period.',
  options: { from, to, days },
  json: "{prompts:[...]}, the API's fields and branded, runs, last_run_at, and brand: the row of shares of the period, or null",
  examples: [
    'overheard prompts list --workspace acme',
    "overheard prompts list --workspace acme --json | jq -r '.prompts[] | select(.runs == 0) | .text'",
  ],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    return inSnapshot(context, async (source) => {
      const judge = createJudge(await readSubjects(source.db, source.workspaceId));
      const prompts = (await readPromptReport(source, period)).map(
        ({ brand, runs, last_run_at, ...prompt }) => {
          const facts = { asked: prompt.text, language: prompt.language };
          return {
            ...prompt,
            branded: judge.judgePrompt(facts).isBranded,
            runs,
            last_run_at,
            brand,
          };
        },
      );
      const none = `There are no prompts yet. They come with answers: overheard answers import FILE --workspace ${context.slug}`;
      return {
        json: { prompts },
        table: tableOf(prompts, none, {
          ID: ({ id }) => id.slice(0, 8),
          PROMPT: ({ text }) => text,
          LOCALE: ({ locale }) => locale,
          STATE: ({ active, branded }) =>
            [active ? 'active' : 'inactive', ...(branded ? ['branded'] : [])].join(', '),
          RUNS: ({ runs }) => runs,
          'LAST RUN': ({ last_run_at: last }) => last?.slice(0, 10),
          'BRAND CITED': ({ brand }) => brand && rateWords(brand),
        }),
        words: [
          prompts.length > 0 &&
            `BRAND CITED is of counted runs from ${period.from} to ${period.to} (UTC), with the 95 % interval. Runs of branded prompts are not counted.`,
        ],
      };
    });
  },
});

export const promptsCommand = defineGroup({
  name: 'prompts',
  summary: 'list, add, tag and ask the questions that the workspace tracks',
  description:
    'Prompts: the questions that the workspace tracks. They come with answers, or are imported.',
  commands: [listCommand, promptsAddCommand, promptsCollectCommand, promptsTagCommand],
});
