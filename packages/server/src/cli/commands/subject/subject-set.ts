import { adviseSubject } from '../../../answers/spellings/advise.ts';
import { settleDays } from '../../../crawlers/hits/settle-days.ts';
import { planChange } from '../../../workspaces/plan-subject.ts';
import type { SubjectChange } from '../../../workspaces/subject-change.ts';
import { setSubject } from '../../../workspaces/write-subject.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { aliasesOf, flag, list, subjectOptions, text } from '../../define/options.ts';
import { redetectHint } from './redetect-hint.ts';
import { adviceLines } from '../../words/advice-lines.ts';
import { describeSubject } from './describe-subject.ts';
import { applyPlan, isPreview, preview, previewJson, previewOptions } from './subject-preview.ts';
import { UsageError } from '../../terminal/command-error.ts';

const changeOptions = {
  name: text('<text>', 'its new name'),
  ...subjectOptions,
  addAlias: list('<text>', 'add an alias that is found in any case'),
  addAliasExact: list('<text>', 'add an alias that is found only as written'),
  addAliasPattern: list('<regexp>', 'add a regular expression'),
  removeAlias: list('<text>', 'remove an alias of any kind'),
  clearAliases: flag('remove every alias'),
  addDomain: list('<name>', 'add a domain'),
  removeDomain: list('<name>', 'remove a domain'),
  clearDomains: flag('remove every domain'),
  addPath: list('<address>', 'add an owned path'),
  removePath: list('<address>', 'remove an owned path'),
  clearPaths: flag('remove every owned path'),
};

export const subjectSetCommand = defineWorkspaceCommand({
  name: 'set',
  summary: 'change the name, aliases, domains or paths of a subject',
  description:
    'Changes a competitor or the brand; its id and history stay. --alias, --alias-exact and --alias-pattern together replace the whole list of aliases, --domain that of domains, --path that of owned paths; the --add and --remove options change one entry.',
  arguments: { idOrName: word('the subject: its name, an alias, its id or the beginning of it') },
  options: { ...changeOptions, ...previewOptions },
  json: `the subject as \`list\` prints it, and has_changed; ${previewJson}`,
  examples: [
    "overheard subject set Globex --workspace acme --name 'Globex Group' --add-alias Globex",
    "overheard subject set Acme --workspace acme --alias 'Acme Ltd' --alias 'Acme Inc'",
    '    The brand. It has these two aliases now and no other.',
    'overheard subject set Globex --workspace acme --remove-alias GBX --add-domain globex.example',
    'overheard subject set Acme --workspace acme --add-alias Apex --dry-run --sentences 30',
    '    Shows what the alias would find, and changes nothing.',
  ],
  run: async (context, { idOrName, ...values }) => {
    const { store, workspaceId, slug } = context;
    const change = changeOf(values);
    if (Object.keys(change).length === 0) {
      throw new UsageError(
        'Say what to change: --name, --alias, --domain, --path or another option.',
      );
    }
    if (isPreview(values)) {
      const planned = await planChange(store.reader, workspaceId, idOrName, change);
      const { before, words, hasChanged } = planned;
      const output = await preview(
        context,
        values,
        applyPlan({ id: before.id, type: before.subject_type }, words),
      );
      const unchanged = !hasChanged && `Nothing would change: ${describeSubject(before)}.`;
      return { ...output, words: [unchanged, ...output.words] };
    }
    const { hasChanged, before, subject } = await setSubject(store, workspaceId, idOrName, change);
    await settleDays(store, workspaceId);
    const json = { ...subject, hasChanged };
    if (!hasChanged) return { json, words: `Nothing changed: ${describeSubject(subject)}.` };
    const { name, aliases, domains } = before;
    const earlier = { aliases: [{ alias: name }, ...aliases], domains };
    const advice = await adviseSubject(store.reader, workspaceId, {
      id: subject.id,
      before: earlier,
    });
    return {
      json,
      words: [
        `Now tracks ${describeSubject(subject)}.`,
        await redetectHint(store, workspaceId, slug),
        ...adviceLines(advice, { name: subject.name, slug }),
        name !== subject.name &&
          `Answers that say "${name}" no longer count. To keep finding them: --add-alias '${name}'`,
      ],
    };
  },
});

function changeOf(values: OptionValues<typeof changeOptions>): SubjectChange {
  const { name, domain, addDomain, removeDomain, removeAlias, path, addPath, removePath } = values;
  const aliases = aliasesOf(values);
  const addAliases = aliasesOf({
    alias: values.addAlias,
    aliasExact: values.addAliasExact,
    aliasPattern: values.addAliasPattern,
  });
  return {
    ...(name !== undefined && { name }),
    ...(values.clearAliases && { aliases: [] }),
    ...(aliases.length > 0 && { aliases }),
    ...(addAliases.length > 0 && { addAliases }),
    ...(removeAlias.length > 0 && { removeAliases: removeAlias }),
    ...(values.clearDomains && { domains: [] }),
    ...(domain.length > 0 && { domains: domain }),
    ...(addDomain.length > 0 && { addDomains: addDomain }),
    ...(removeDomain.length > 0 && { removeDomains: removeDomain }),
    ...(values.clearPaths && { paths: [] }),
    ...(path.length > 0 && { paths: path }),
    ...(addPath.length > 0 && { addPaths: addPath }),
    ...(removePath.length > 0 && { removePaths: removePath }),
  };
}
