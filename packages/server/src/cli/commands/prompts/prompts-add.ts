import { previewPaste, readUsualLocale } from '../../../answers/paste-prompts.ts';
import { addPrompts } from '../../../transfer/add-prompts.ts';
import { languageOf } from '../../../values/language-tag.ts';
import { plural } from '../../../values/plural.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import { defineWorkspaceCommand, words } from '../../define/define-command.ts';
import { localeOption } from '../../filters/locale-option.ts';

export const promptsAddCommand = defineWorkspaceCommand({
  name: 'add',
  summary: 'add questions to track',
  description:
    'Adds prompts, each an argument of its own. They are not asked until `overheard prompts collect` switches that on. A prompt that is tracked already stays as it is.',
  arguments: { text: words('the questions') },
  options: {
    locale: localeOption("locale of all (default: the workspace's usual one, else en-US)"),
  },
  json: '{new, tracked, branded, locale}',
  examples: [
    'overheard prompts add "Which CRM suits a small agency?" --workspace acme',
    'overheard prompts add "Welches CRM passt zu uns?" --locale de-DE --workspace acme',
    '    Many at once come from a file: overheard import prompts FILE --workspace acme',
  ],
  run: async ({ io, store, workspaceId, slug }, { text: texts, ...values }) => {
    const locale = values.locale ?? (await usualLocale());
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

    async function usualLocale(): Promise<string> {
      const usual = await readUsualLocale(store.reader, workspaceId);
      if (usual !== undefined) return usual;
      return (await findWorkspaceById(store.reader, workspaceId))?.locale ?? 'en-US';
    }
  },
});
