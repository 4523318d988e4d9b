import { countLongPrompts, longPromptsWords } from '../../../collect/ledger/prompts-to-ask.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand, word, words } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { usageWords } from '../../words/usage-words.ts';

const states = ['on', 'off'];

export const promptsCollectCommand = defineWorkspaceCommand({
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
    if (all === ids.length > 0) throw new UsageError(usageWords.prompts.choosePrompts);
    const isOn = state === 'on';
    const changed = await switchPrompts(store, workspaceId, { ids: all ? 'all' : ids, isOn });
    const longPrompts = isOn ? await countLongPrompts(store, workspaceId) : 0;
    return {
      json: { changed, longPrompts },
      words: [`Switched ${plural(changed, 'prompt')} ${state}.`, longPromptsWords(longPrompts)],
    };
  },
});
