import { defineWorkspaceCommand, words } from '../../define/define-command.ts';
import { flag, text } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { UsageError } from '../../terminal/command-error.ts';
import type { WorkspaceContext } from '../../define/define-command.ts';
import { quote } from '../../../refusals/quote.ts';
import { readPromptNames } from '../../../reports/known-names.ts';
import { readTags } from '../../../storage/prompt-tags.ts';
import { foldCase } from '../../../values/fold-case.ts';
import { plural } from '../../../values/plural.ts';
import { renameTag, setOutsideMarket, tagPrompts, untagPrompts } from '../../../workspaces/tags.ts';

export const promptsTagCommand = defineWorkspaceCommand({
  name: 'tag',
  summary: 'list the tags of prompts, or tag prompts, one tag as their topic',
  description:
    'Without --tag lists the tags. A prompt has any number of tags, and one of them may be its topic; a new topic replaces the one that it had. A topic that is not your market keeps its prompts and figures, and they are no gaps.',
  arguments: { id: words('ids of prompts', { isOptional: true }) },
  options: {
    tag: text('<tag>', 'the tag: 1 to 60 characters, without commas'),
    search: text('<text>', 'prompts with this in their text, in any case, instead of ids'),
    topic: flag('make the tag their topic'),
    remove: flag('take the tag from the prompts'),
    rename: text(
      '<tag>',
      'rename the tag of all prompts; with the name of another they become one',
    ),
    outsideMarket: flag('mark the topic as not your market'),
    insideMarket: flag('take that mark back'),
  },
  json: '{tags:[{tag, prompts, topic_of, is_outside_market}]}, with --tag {tag, changed}',
  examples: [
    'overheard prompts tag --workspace acme',
    'overheard prompts tag --tag Agencies --topic --search agency --workspace acme',
    'overheard prompts tag --tag Jobs --outside-market --workspace acme',
  ],
  run: async (context, values) => {
    const { store, workspaceId } = context;
    const { tag, id: ids, search, topic, remove, rename, outsideMarket, insideMarket } = values;
    const hasPrompts = ids.length > 0 || search !== undefined;
    const changes = [rename !== undefined, outsideMarket, insideMarket, hasPrompts];
    if (tag === undefined) {
      if (changes.includes(true) || topic || remove) throw new UsageError('Name a tag: --tag.');
      return listTags(context);
    }
    if (changes.filter(Boolean).length !== 1 || (topic && remove)) {
      throw new UsageError(
        'Give one of: ids of prompts, --search, --rename, --outside-market, --inside-market. --topic and --remove exclude each other.',
      );
    }
    if (rename !== undefined) {
      const renamed = await renameTag(store, workspaceId, { from: tag, to: rename });
      const happened = `${renamed.hasMerged ? 'Merged it into' : 'Renamed it to'} ${renamed.tag}`;
      return done(renamed, `${happened}: ${plural(renamed.changed, 'prompt')}.`);
    }
    if (outsideMarket || insideMarket) {
      const marked = await setOutsideMarket(store, workspaceId, { tag, isOutside: outsideMarket });
      const happened = outsideMarket
        ? `${marked.tag} is not your market: its prompts are no gaps.`
        : `${marked.tag} is your market again. Its gaps come back with: overheard actions derive`;
      return done({ tag: marked.tag, changed: marked.hasChanged ? 1 : 0 }, happened);
    }
    if (search?.trim() === '') {
      throw new UsageError(
        '--search is empty, and all prompts would match it: write a part of their text.',
      );
    }
    const chosen = search === undefined ? ids : await findPrompts(context, search);
    if (chosen.length === 0) {
      return done(
        { tag, changed: 0 },
        `No prompt has ${quote(search ?? '')} in its text: nothing was changed.`,
      );
    }
    const prompts = { ids: chosen, tag };
    const changed = remove
      ? await untagPrompts(store, workspaceId, prompts)
      : await tagPrompts(store, workspaceId, { ...prompts, isTopic: topic });
    const happened = remove ? 'Took the tag from' : 'Tagged';
    return done(changed, `${happened} ${plural(changed.changed, 'prompt')}: ${changed.tag}.`);
  },
});

function done({ tag, changed }: { tag: string; changed: number }, sentence: string) {
  return { json: { tag, changed }, words: [sentence] };
}

async function listTags({ store, workspaceId }: WorkspaceContext) {
  const tags = await readTags(store.reader, workspaceId);
  return {
    json: { tags },
    table: tableOf(tags, 'No prompt has a tag yet.', {
      TAG: ({ tag }) => tag,
      PROMPTS: ({ prompts }) => prompts,
      'TOPIC OF': ({ topicOf }) => topicOf,
      MARKET: ({ isOutsideMarket }) => (isOutsideMarket ? 'not ours' : null),
    }),
    words: [],
  };
}

async function findPrompts(
  { store: { reader: db }, workspaceId }: WorkspaceContext,
  search: string,
): Promise<string[]> {
  const prompts = await readPromptNames({ db, workspaceId });
  const wanted = foldCase(search);
  return [...prompts.values()]
    .filter((prompt) => foldCase(prompt.text).includes(wanted))
    .map(({ id }) => id);
}
