import { prompts as endpoint } from '@overheard/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import { canonicalTag, completeLanguage, hasRegion } from '../../values/language-tag.ts';
import { parseTag, tagKey } from '../../values/tag.ts';
import { promptId } from '../../values/uuid.ts';
import { orders } from '../../values/orders.ts';
import { textCell } from '../../storage/cells.ts';
import type { Cells } from '../../storage/cells.ts';
import { pad } from '../../storage/chunks.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import { changePromptTags, giveTag, spellingsOf } from '../../storage/prompt-tags.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { ChangedRows, Resource, RowFault } from '../resource.ts';

/** Tags with commas between. */
const tagText = z.string().min(1).nullable().optional();

const exported = endpoint.row
  .partial({ id: true, language: true, locale: true, active: true, created_at: true })
  .extend({ tags: tagText, topic: tagText });

export const prompts: Resource = {
  name: 'prompts',
  array: endpoint.array,
  // An export leaves out `collect`, because a person who imports it elsewhere has not decided to
  // pay for asking.
  row: exported.extend({ collect: z.enum(['on', 'off']).optional() }),
  exported,
  check: (row) => {
    const { collect, ...cells } = row;
    const fault = tagFault(row);
    if (fault !== undefined) return fault;
    return collect === undefined ? undefined : { cells: { ...cells, collect: collect === 'on' } };
  },
  normalForms: {
    language: {
      expected: 'a language of BCP 47 such as en',
      normalise: (value) => canonicalTag(value) ?? '',
    },
    locale: {
      expected: 'a locale of BCP 47, with its region, such as en-US',
      normalise: (value) => {
        const tag = canonicalTag(value) ?? '';
        return hasRegion(tag) ? tag : '';
      },
    },
  },
  identify: (row) => promptId({ text: textCell(row, 'text'), ...placeOf(row) }),
  table: {
    name: 'prompts',
    columns: [...endpoint.fields, 'collect'],
    key: { columns: ['id'], lookup: 'id', words: 'id' },
    besides: writeTags,
    onChanged: noteLocales,
  },
  defaults: (row, now) => ({
    ...placeOf(row),
    active: true,
    created_at: now,
    collect: false,
  }),
  select: (workspaceId) => sql`
    select prompts.*,
      (select string_agg(tag, ',' order by tag) ${tagsWhere} and not is_topic) as tags,
      (select tag ${tagsWhere} and is_topic) as topic
    from prompts where workspace_id = ${workspaceId}`,
  order: orders.prompts,
};

const tagsWhere = sql`
  from prompt_tags
  where prompt_tags.workspace_id = prompts.workspace_id and prompt_id = prompts.id`;

function tagsOf(row: Cells, field: 'tags' | 'topic'): string[] {
  const text = row[field];
  return typeof text !== 'string' ? [] : field === 'topic' ? [text] : text.split(',');
}

function tagFault(row: Cells): RowFault | undefined {
  const field = (['tags', 'topic'] as const).find((name) =>
    tagsOf(row, name).some((text) => parseTag(text) === undefined),
  );
  return field && { field, expected: tagWords[field] };
}

const tagWords = {
  tags: 'tags of 1 to 60 characters with commas between',
  topic: 'one tag of 1 to 60 characters, without commas',
};

/** Adds the tags and the topics of rows. Tags that a row leaves out stay. */
async function writeTags(
  transaction: Transaction<DataTables>,
  { workspaceId, rows }: { readonly workspaceId: string; readonly rows: readonly Cells[] },
): Promise<ReadonlySet<string>> {
  const wanted = rows.flatMap((row) =>
    (['tags', 'topic'] as const).flatMap((field) =>
      tagsOf(row, field).map((text) => ({
        id: textCell(row, 'id'),
        tag: parseTag(text) ?? '',
        isTopic: field === 'topic',
      })),
    ),
  );
  if (wanted.length === 0) return new Set();
  return changePromptTags(transaction, workspaceId, (tags) => {
    const spellings = spellingsOf(tags);
    for (const { tag, ...each } of wanted) {
      const spelled = spellings.get(tagKey(tag)) ?? tag;
      spellings.set(tagKey(tag), spelled);
      giveTag(tags, { ...each, tag: spelled });
    }
  });
}

/** The language and the locale of a row. */
function placeOf(row: Cells): { language: string; locale: string } {
  const tag = (field: string): string | undefined =>
    row[field] === undefined ? undefined : textCell(row, field);
  return completeLanguage(tag('language'), tag('locale'));
}

/** Answers show the locale of their prompts: notes the days of those whose locale changes. */
async function noteLocales(
  transaction: Transaction<DataTables>,
  { workspaceId, rows }: ChangedRows,
): Promise<void> {
  const moved = rows.filter(({ before, cells }) => before['locale'] !== cells['locale']);
  if (moved.length === 0) return;
  const found = await transaction
    .selectFrom('runs')
    .select('run_at')
    .where('workspace_id', '=', workspaceId)
    .where('prompt_id', 'in', pad(moved.map(({ cells }) => textCell(cells, 'id'))))
    .execute();
  await noteChanges(transaction, workspaceId, { answers: found.map(({ run_at: at }) => at) });
}
