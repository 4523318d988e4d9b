import { nearest } from '@overheard/contract';
import { judgeUndecided } from '../../../crawlers/hits/verify-hits.ts';
import { parseBound } from '../../filters/parse-log-options.ts';
import { importRanges } from '../../../crawlers/operators/import-ranges.ts';
import { listRanges } from '../../../crawlers/operators/list-ranges.ts';
import { readKnownFiles } from '../../../crawlers/operators/operator-file.ts';
import type { OperatorFile } from '../../../crawlers/operators/operator-file.ts';
import { removeRanges } from '../../../crawlers/operators/remove-ranges.ts';
import { updateRanges } from '../../../crawlers/operators/update-ranges.ts';
import type { UpdatedFile } from '../../../crawlers/operators/update-ranges.ts';
import { plural } from '../../../values/plural.ts';
import { dayMs } from '../../../values/time/utc-day.ts';
import { defineGroup, defineStoreCommand, word, words } from '../../define/define-command.ts';
import { flag, list, text } from '../../define/options.ts';
import { noDns, systemHostNames } from '../../operator-lists/system-host-names.ts';
import { Refusal, refusalWords } from '../../../refusals.ts';
import { tableOf } from '../../define/table-of.ts';

const updateCommand = defineStoreCommand({
  name: 'update',
  summary: "fetch every operator's lists",
  description:
    "Fetches the lists and key directories that the catalogue names, and the key directories of workspaces' own bots, from the operators themselves, and judges the hits that wait for them. Run it daily: a hit is judged by the lists around its own time.",
  arguments: { id: words('only these, such as openai/gptbot', { isOptional: true }) },
  options: {
    accept: list(
      '<id...>',
      'accept these lists although they lost or gained more networks than is likely',
    ),
    noDns,
  },
  json: '{"files":[{id, outcome, size, problem}], "judged"}',
  examples: ['overheard ranges update', 'overheard ranges update openai/gptbot'],
  mayCreate: true,
  run: async ({ io, store }, { id: ids, accept: accepted, ...values }) => {
    const { fetch, clock, signal } = io;
    const knownFiles = await readKnownFiles(store.writer);
    const files = ids.length === 0 ? knownFiles : ids.map((id) => findFile(knownFiles, id));
    const updated = await updateRanges(store, {
      files,
      fetch,
      clock,
      signal,
      accepted,
      words: refusalWords,
    });
    const hostNames = systemHostNames(io, values);
    const judged = await judgeUndecided(store, { hostNames, clock, signal });
    return {
      json: { files: updated, judged },
      table: tableOf(updated, 'Nothing was fetched.', {
        LIST: ({ id }) => id,
        OUTCOME: ({ outcome }) => outcome,
        SIZE: ({ size }) => size,
        PROBLEM: ({ problem = '' }) => problem,
      }),
      words: [judged > 0 && `Hits with another verdict by these lists: ${judged}.`],
      failure: updateFailure(updated, signal),
    };
  },
});

const importCommand = defineStoreCommand({
  name: 'import',
  summary: 'import lists from files, if there is no network',
  description:
    "Imports an operator's list from a file in the form in which the operator publishes it, or a folder of them laid out as OPERATOR/NAME.json. A list is valid at the time that is written in it, up to --fetched-at if given. Lists of proxies and content networks are proxy/NAME. These, and the lists of your own bots, may also be text: one network a line, or CSV as RFC 8805 has it. If one entry is not a network, or one list is unlikely to be its operator's, nothing is imported.",
  arguments: { path: word('a file, or a folder') },
  options: {
    list: text('<id>', 'which list the file is, such as openai/gptbot'),
    fetchedAt: text('<when>', 'when it was fetched: a day, a moment, or 7d, 12h ago'),
    accept: flag(
      'accept lists that grew too much, or that have single addresses, private or very wide networks',
    ),
  },
  json: '{"lists":[{id, size, is_new, first_at, last_at}]}',
  examples: [
    'overheard ranges import gptbot.json --list openai/gptbot',
    'overheard ranges import ./lists --fetched-at 2026-11-20',
    'overheard ranges import ips-v4.txt --list proxy/cdn --fetched-at 1h',
  ],
  mayCreate: true,
  run: async ({ io, store }, { path, list: id, fetchedAt, accept: isAccepted }) => {
    const nowMs = io.clock();
    const fetchedMs = parseBound({ fetchedAt }, nowMs);
    const lists = await importRanges(store, { path, id, nowMs, fetchedMs, isAccepted });
    return {
      json: { lists },
      words: [
        ...lists.map(({ id: of, size, isNew, firstAt, lastAt }) => {
          const validity = firstAt === lastAt ? `at ${firstAt}` : `from ${firstAt} to ${lastAt}`;
          return `${of}: ${entries(size)} valid ${validity}${isNew ? '' : ' (known)'}.`;
        }),
        'Apply it to stored hits: overheard hits verify --workspace SLUG',
      ],
    };
  },
});

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the stored lists, with their ages',
  description: 'Lists the files of operators, both stored and missing ones.',
  json: '{"files":[{id, url, versions, size, first_at, last_at, problem}]}',
  examples: ['overheard ranges list'],
  run: async ({ io, store }) => {
    const files = await listRanges(store.reader);
    return {
      json: { files },
      table: tableOf(files, 'No lists are installed. Fetch them: overheard ranges update', {
        LIST: ({ id }) => id,
        SIZE: ({ size, versions }) => (versions === 0 ? null : size),
        VERSIONS: ({ versions }) => versions,
        FIRST: (file) => file.first_at,
        LAST: (file) => file.last_at,
        AGE: (file) => age(file.last_at, io.clock()),
        PROBLEM: ({ problem }) => problem ?? '',
      }),
    };
  },
});

const removeCommand = defineStoreCommand({
  name: 'remove',
  summary: 'remove a list that was imported by mistake',
  description:
    'Removes a version of a list from every workspace. Hits that were judged by it keep their verdict until `overheard hits verify` judges them again by the lists that are left.',
  arguments: { id: word('which list, such as openai/gptbot') },
  options: {
    firstAt: text('<when>', 'only the version that was valid from then on'),
    all: flag('every version'),
  },
  json: '{id, "removed":[{size, first_at, last_at}]}',
  examples: [
    'overheard ranges remove openai/gptbot',
    'overheard ranges remove openai/gptbot --first-at 2026-11-20',
  ],
  run: async ({ io, store }, { id, firstAt, all: isAll }) => {
    const firstMs = parseBound({ firstAt }, io.clock());
    const removed = await removeRanges(store, { id, firstMs, isAll });
    return {
      json: { id, removed },
      words: [
        ...removed.map(
          (version) =>
            `Removed ${id} from ${version.firstAt} to ${version.lastAt}: ${entries(version.size)}.`,
        ),
        'Judge stored hits again without it: overheard hits verify --workspace SLUG',
      ],
    };
  },
});

function age(lastAt: string | null, nowMs: number): string | null {
  if (lastAt === null) return null;
  return `${Math.max(0, Math.floor((nowMs - Date.parse(lastAt)) / dayMs))} d`;
}

function entries(size: number): string {
  return plural(size, 'entry', 'entries');
}

function updateFailure(
  updated: readonly UpdatedFile[],
  { aborted }: AbortSignal,
): string | undefined {
  if (aborted) return 'Stopped. Lists that were fetched are kept.';
  const failed = updated.filter(({ outcome }) => outcome === 'failed').length;
  if (failed === 0) return undefined;
  return `${failed} of ${updated.length} could not be fetched; their stored versions are kept.`;
}

function findFile(knownFiles: readonly OperatorFile[], id: string): OperatorFile {
  const operatorFile = knownFiles.find((file) => file.id === id);
  if (operatorFile !== undefined) return operatorFile;
  const ids = knownFiles.map((file) => file.id);
  throw new Refusal('list_unknown', { id, from: 'update', nearest: nearest(id, ids) });
}

export const rangesCommand = defineGroup({
  name: 'ranges',
  summary: "keep the operators' lists of addresses",
  description:
    'Ranges: the addresses and keys that operators publish for their bots, each stored with the time for which it was valid. None is shipped, because they are outdated within weeks.',
  commands: [updateCommand, importCommand, listCommand, removeCommand],
});
