import { adviseSubject } from '../../../answers/spellings/advise.ts';
import { newId } from '../../../values/uuid.ts';
import { planAddition, planRemoval } from '../../../workspaces/plan-subject.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import { addSubject, removeSubject } from '../../../workspaces/write-subject.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { aliasesOf, flag, number, subjectOptions } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { redetectHint } from './redetect-hint.ts';
import { adviceLines } from '../../words/advice-lines.ts';
import { aliasWords, describeSubject } from './describe-subject.ts';
import { applyPlan, isPreview, preview, previewJson, previewOptions } from './subject-preview.ts';
import { subjectSetCommand } from './subject-set.ts';
import { findUntracked } from '../../../answers/untracked/find-untracked.ts';
import { noteEvent } from '../../../people/events.ts';
import { plural } from '../../../values/plural.ts';
import { dismissName, listDismissed, restoreName } from '../../../workspaces/dismissed-names.ts';

const suggestCommand = defineWorkspaceCommand({
  name: 'suggest',
  summary: 'list names and sites that answers repeat and nobody tracks',
  description:
    'Finds names with a capital, and linked sites, that recur in at least 3 of the latest counted answers and belong to no subject: possible competitors. It follows rules and adds nothing. Dismissed names are left out. docs/methodology.md has the rules, and how often they are right.',
  options: {
    answers: number('number of latest answers to read', {
      min: 1,
      max: 1_000_000,
      initial: 2000,
    }),
    limit: number('most names, and most sites, to list', { min: 1, max: 1000, initial: 20 }),
  },
  json: '{answers, names:[{name, site, answers, example:{run_id, sentence, url}}], sites:[...], dismissed:[{name, dismissed_at, dismissed_by}]}; a site has no name',
  examples: [
    'overheard subject suggest --workspace acme',
    "overheard subject suggest --workspace acme --json | jq -r '.names[].name'",
  ],
  run: async ({ io, store, workspaceId, slug }, { answers: answersMax, limit: rowsMax }) => {
    const work = { answersMax, rowsMax, signal: io.signal };
    const untracked = await findUntracked(store.reader, workspaceId, work);
    const dismissed = await listDismissed(store.reader, workspaceId);
    const rows = [...untracked.names, ...untracked.sites];
    return {
      json: { ...untracked, dismissed },
      table: tableOf(rows, 'No name and no site recurs that is not tracked.', {
        NAME: ({ name }) => name,
        SITE: ({ site }) => site,
        ANSWERS: ({ answers }) => String(answers),
        EXAMPLE: ({ example: { sentence, url } }) => sentence ?? url,
      }),
      words: [
        `Read ${plural(untracked.answers, 'counted answer')}.`,
        rows.length > 0 &&
          `Track one: \`overheard subject add NAME --workspace ${slug}\`. Dismiss one: \`overheard subject dismiss NAME --workspace ${slug}\`.`,
        dismissed.length > 0 &&
          `Left out, because dismissed: ${dismissed.map(({ name }) => name).join(', ')}. Suggest one again: \`overheard subject dismiss NAME --undo --workspace ${slug}\`.`,
      ],
    };
  },
});

const dismissCommand = defineWorkspaceCommand({
  name: 'dismiss',
  summary: 'stop suggesting a name or a site',
  description:
    'Dismisses a name or a site, so that neither `overheard subject suggest` nor the page of competitors suggests it again. It can still be tracked.',
  arguments: { name: word('the name, or the site, as it was suggested') },
  options: { undo: flag('let it be suggested again') },
  json: '{name, has_changed}',
  examples: [
    'overheard subject dismiss Wikipedia --workspace acme',
    'overheard subject dismiss Wikipedia --undo --workspace acme',
  ],
  run: async ({ io: { clock }, store, workspaceId }, { name: typed, undo }) => {
    const { hasChanged, name } = undo
      ? await restoreName(store, workspaceId, { name: typed })
      : await dismissName(store, workspaceId, { name: typed, clock });
    const kind = undo ? 'name_restored' : 'name_dismissed';
    const event = { workspaceId, kind, facts: { name } } as const;
    if (hasChanged) await noteEvent(store.access, { userId: null, clock }, event);
    const done = undo ? 'may be suggested again' : 'will not be suggested again';
    const already = undo ? 'was not dismissed' : 'was dismissed before';
    return { json: { name, hasChanged }, words: `${name} ${hasChanged ? done : already}.` };
  },
});

const addCommand = defineWorkspaceCommand({
  name: 'add',
  summary: 'track a competitor',
  description:
    'Adds a competitor and prints its id. Warns about names that are common words, and suggests other spellings that people write, with case endings in the languages of the prompts. It adds none of them.',
  arguments: { name: word('its name') },
  options: { ...subjectOptions, ...previewOptions },
  json: `the subject as \`list\` prints it; ${previewJson}`,
  examples: [
    'overheard subject add Globex --workspace acme --domain globex.example',
    "overheard subject add Globex --workspace acme --alias 'Globex Corporation' --alias-exact GBX",
    'overheard subject add Hooli --workspace acme --path github.com/hooli --path youtube.com/@hooli',
    "overheard subject add 'Initech' --workspace acme --alias-pattern 'Ini-?tech'",
    'overheard subject add Umbrella --workspace acme --dry-run --answers all',
  ],
  run: async (context, { name, ...values }) => {
    const { io, store, workspaceId, slug } = context;
    const words = { name, aliases: aliasesOf(values), domains: values.domain, paths: values.path };
    if (isPreview(values)) {
      const id = newId(io.clock);
      const planned = await planAddition(store.reader, workspaceId, { id, words });
      return preview(context, values, applyPlan({ id, type: 'competitor' }, planned));
    }
    const subject = await addSubject(store, workspaceId, { words, clock: io.clock });
    const advice = await adviseSubject(store.reader, workspaceId, subject);
    return {
      json: jsonOf(subject),
      text: subject.id,
      words: [
        `Tracks the competitor ${describeSubject(subject)}.`,
        await redetectHint(store, workspaceId, slug),
        ...adviceLines(advice, { name: subject.name, slug }),
      ],
    };
  },
});

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the brand and its competitors',
  description: 'Lists the subjects of a workspace: the brand, then competitors by name.',
  options: { all: flag('removed competitors too') },
  json: '{"subjects":[{id, subject_type, name, aliases:[{alias, match}], domains, paths, created_at, archived_at}]}',
  examples: [
    'overheard subject list --workspace acme',
    "overheard subject list --workspace acme --json | jq '.subjects[] | {id, name}'",
  ],
  run: async ({ store, workspaceId }, { all: includesArchived }) => {
    const subjects = await listSubjects(store.reader, workspaceId, { includesArchived });
    return {
      json: { subjects: subjects.map(jsonOf) },
      table: tableOf(subjects, 'The workspace has no subjects.', {
        ID: ({ id }) => id,
        TYPE: (subject) => subject.subject_type,
        NAME: ({ name }) => name,
        ALIASES: (subject) => aliasWords(subject) || null,
        DOMAINS: ({ domains }) => domains.join(', ') || null,
        PATHS: ({ paths }) => paths.join(', ') || null,
        ...(includesArchived && { REMOVED: (subject: Subject) => subject.archived_at }),
      }),
    };
  },
});

const removeCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: 'stop tracking a competitor',
  description:
    'Stops tracking a competitor. Its id and its history stay; its aliases, domains and paths are free for others.',
  arguments: {
    idOrName: word('the competitor: its name, an alias, its id or the beginning of it'),
  },
  options: previewOptions,
  json: `the subject as \`list\` prints it; ${previewJson}`,
  examples: [
    'overheard subject remove Globex --workspace acme --dry-run',
    'overheard subject remove Globex --workspace acme',
    'overheard subject remove 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00 --workspace acme',
  ],
  run: async (context, { idOrName, ...values }) => {
    const { io, store, workspaceId, slug } = context;
    if (isPreview(values)) {
      const { id } = await planRemoval(store.reader, workspaceId, idOrName);
      return preview(context, values, { id, subject: undefined });
    }
    const subject = await removeSubject(store, workspaceId, idOrName, { clock: io.clock });
    return {
      json: jsonOf(subject),
      words: [
        `No longer tracks ${subject.name} (${subject.id}). Its history stays.`,
        await redetectHint(store, workspaceId, slug),
      ],
    };
  },
});

function jsonOf(subject: Subject) {
  const { id, subject_type, name, aliases, domains, paths, created_at, archived_at } = subject;
  return { id, subject_type, name, aliases, domains, paths, created_at, archived_at };
}

export const subjectCommand = defineGroup({
  name: 'subject',
  summary: 'track competitors; change the names and aliases of subjects',
  description:
    "Subjects: a workspace's brand and its competitors, each with a name, aliases, domains and owned paths. Each of them belongs to one subject of a workspace.",
  commands: [
    addCommand,
    listCommand,
    subjectSetCommand,
    removeCommand,
    suggestCommand,
    dismissCommand,
  ],
});
