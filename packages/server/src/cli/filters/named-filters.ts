import { nearest } from '@overheard/contract';
import { parseSite } from './parse-log-options.ts';
import { readKnownNames, readPromptNames } from '../../reports/known-names.ts';
import type { NamedFilter } from '../../reports/known-names.ts';
import { Refusal } from '../../refusals.ts';
import { readAvailableData } from '../../reports/available-data.ts';
import { readTagsByPrompt, spellingOf, tagNames } from '../../storage/prompt-tags.ts';
import { chooseId, isIdPrefix } from '../../storage/queries/find-id.ts';
import { misspeltEngine } from '../../values/engine.ts';
import { findSubject } from '../../workspaces/subject.ts';
import type { WorkspaceContext } from '../define/define-command.ts';

/** Filters as a person types them. Each names something in the workspace. */
interface TypedFilters {
  readonly engine?: string | undefined;
  readonly locale?: string | undefined;
  readonly tag?: string | undefined;
  readonly prompt?: string | undefined;
  readonly subject?: string | undefined;
  readonly host?: string | undefined;
  readonly bot?: string | undefined;
}

/**
 * Converts filters to the form of the API. Throws a `Refusal` with the nearest name if the
 * workspace does not have one, because an empty report would look like a result.
 */
export async function namedFilters(
  context: WorkspaceContext,
  { engine, locale, tag, prompt, subject, host, bot }: TypedFilters,
) {
  return {
    engine: await knownName(context, 'engine', engine),
    locale: await knownName(context, 'locale', locale),
    tag: tag === undefined ? undefined : await findTag(context, tag),
    prompt_id: prompt === undefined ? undefined : await findPrompt(context, prompt),
    subject_id:
      subject === undefined
        ? undefined
        : (await findSubject(context.store.reader, context.workspaceId, subject)).id,
    host: await knownName(context, 'host', parseSite(host)),
    bot_name: await knownName(context, 'bot_name', bot),
  };
}

async function knownName(
  { store: { reader: db }, workspaceId }: WorkspaceContext,
  filter: NamedFilter,
  typed: string | undefined,
): Promise<string | undefined> {
  if (typed === undefined) return undefined;
  const names = await readKnownNames({ db, workspaceId }, filter);
  if (names.has(typed)) return typed;
  if (names.size === 0) {
    // If the workspace has no rows at all, the report explains what to do.
    if (filter === 'host' && (await readAvailableData({ db, workspaceId })).hasHits) {
      throw new Refusal('hosts_not_logged', {});
    }
    return typed;
  }
  const listed = [...names].toSorted();
  const meant =
    filter === 'engine' ? misspeltEngine(typed, listed) : nearest(typed.slice(0, 253), listed);
  throw new Refusal('filter_unknown', { filter, name: typed, nearest: meant, names: listed });
}

/** The tag as the workspace spells it. */
async function findTag(
  { store: { reader: db }, workspaceId }: WorkspaceContext,
  typed: string,
): Promise<string> {
  const tags = await readTagsByPrompt(db, workspaceId);
  const spelled = spellingOf(tags, typed);
  if (spelled !== undefined) return spelled;
  throw new Refusal('tag_not_found', { tag: typed, nearest: nearest(typed, tagNames(tags)) });
}

/** Finds the id of a prompt by the id, its beginning, or the prompt's text in any case. */
async function findPrompt(
  { store: { reader: db }, workspaceId }: WorkspaceContext,
  typed: string,
): Promise<string> {
  const prompts = [...(await readPromptNames({ db, workspaceId })).values()];
  const wanted = typed.normalize('NFC').trim().toLowerCase();
  const sameText = prompts.filter(({ text }) => text.toLowerCase() === wanted);
  const matches =
    sameText.length > 0 || !isIdPrefix(wanted)
      ? sameText
      : prompts.filter(({ id }) => id.startsWith(wanted));
  const id = chooseId(
    matches.map((prompt) => ({ id: prompt.id, label: `${prompt.locale} ${prompt.text}` })),
    typed,
  );
  if (id !== undefined) return id;
  const texts = prompts.map(({ text }) => text);
  const meant =
    nearest(typed.slice(0, 300), texts) ??
    (wanted === '' ? undefined : texts.find((text) => text.toLowerCase().includes(wanted)));
  throw new Refusal('prompt_not_found', { prompt: typed, nearest: meant });
}
