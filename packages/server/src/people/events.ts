import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { AccessTables } from '../storage/schema.ts';
import { newId } from '../values/uuid.ts';

/** The kinds of events that are stored, each with the words that a page shows for it. */
export const eventTitles = {
  signed_in: 'signed in',
  set_up: 'set the installation up',
  user_added: 'added a user',
  user_disabled: 'disabled a user',
  link_made: 'made a sign-in link',
  password_changed: 'changed a password',
  key_made: 'made a key',
  key_replaced: 'replaced a key',
  key_revoked: 'revoked a key',
  connector_made: 'connected an assistant:',
  connector_ended: 'ended the connection of an assistant:',
  connector_left: 'ended a connection because its assistant asked for that:',
  connector_stolen: 'ended a connection because a code or token of it was used twice:',
  receiver_added: 'added a receiver of log lines:',
  receiver_ended: 'ended a receiver of log lines:',
  invited: 'invited someone',
  invitation_withdrawn: 'withdrew an invitation',
  joined: 'joined',
  role_changed: 'changed a role',
  member_removed: 'removed a member',
  subject_added: 'added a competitor',
  subject_changed: 'changed the brand or a competitor',
  subject_archived: 'archived a competitor',
  workspace_made: 'made the workspace',
  workspace_changed: 'changed the workspace’s name, address or language',
  workspace_archived: 'archived the workspace',
  workspace_restored: 'brought the workspace back',
  workspace_removed: 'removed a workspace',
  prompts_added: 'added',
  prompts_collected: 'switched asking on for',
  prompts_not_collected: 'switched asking off for',
  prompts_activated: 'made active:',
  prompts_deactivated: 'made inactive:',
  prompts_tagged: 'tagged',
  prompts_untagged: 'took a tag from',
  tag_renamed: 'renamed a tag:',
  topic_left_out: 'marked a topic as not our market:',
  topic_taken_in: 'marked a topic as our market:',
  file_imported: 'imported a file',
  import_reverted: 'reverted an import',
  gap_moved: 'moved a gap:',
  gap_assigned: 'assigned a gap:',
  gap_noted: 'changed the note of a gap:',
  name_dismissed: 'dismissed a name:',
  name_restored: 'restored a dismissed name:',
  report_published: 'published the report of',
  report_unpublished: 'removed the published report of',
  months_published: 'switched on that each month’s report is published',
  months_not_published: 'switched off that each month’s report is published',
  report_link_made: 'made a report link',
  report_link_revoked: 'revoked a report link',
  logo_set: 'set the logo of report links',
  logo_removed: 'removed the logo of report links',
  source_kind_set: 'set the kind of a site:',
  recipient_added: 'added a recipient of messages:',
  recipient_removed: 'removed a recipient of messages:',
  message_time_set: 'set when messages are sent:',
  engine_saved: 'set up or changed an engine:',
  engine_disabled: 'switched off an engine:',
  engine_removed: 'removed an engine:',
  engine_asked: 'asked an engine for proposals:',
  engine_tested: 'tested an engine:',
  asked_now: 'asked engines:',
  asking_stopped: 'stopped asking engines',
  asking_on: 'switched on that the server asks by itself',
  asking_off: 'switched off that the server asks by itself',
  budget_changed: 'set the budget of collecting:',
  judge_changed: 'set who judges answers:',
  judge_removed: 'removed the judge of answers:',
  judged_now: 'asked the judge of answers:',
  site_added: 'added an own site:',
  site_removed: 'removed an own site:',
  retention_changed: 'set for how long addresses are kept:',
} as const;

export type EventKind = keyof typeof eventTitles;

/** The objects of the event, by names that a person knows. Never a secret. */
export type EventFacts = Readonly<Record<string, string>>;

/** Who makes a change, and the clock that dates it. `userId` is null for the command line. */
export interface ChangeAuthor {
  readonly userId: string | null;
  readonly clock: () => number;
}

/**
 * Stores an event in the transaction of the change. `workspaceId` is empty for the installation.
 */
export async function noteEvent(
  db: Kysely<AccessTables>,
  { userId, clock }: ChangeAuthor,
  {
    workspaceId = '',
    kind,
    facts = {},
  }: { workspaceId?: string; kind: EventKind; facts?: EventFacts },
): Promise<void> {
  await db
    .insertInto('events')
    .values({
      workspace_id: workspaceId,
      id: newId(clock),
      at: new Date(clock()).toISOString(),
      user_id: userId,
      kind,
      facts: JSON.stringify(facts),
    })
    .execute();
}

/** An event with everything that pages show. */
export interface ListedEvent {
  readonly id: string;
  readonly at: string;
  readonly kind: EventKind;
  readonly facts: EventFacts;
  /** The name of the user; undefined for the command line. */
  readonly name: string | undefined;
}

const factsSchema = z.record(z.string(), z.string());

/** Lists the events of a workspace before the event `before`, the newest first. */
export async function listEvents(
  db: Kysely<AccessTables>,
  {
    workspaceId,
    before,
    limit,
  }: { workspaceId: string; before: string | undefined; limit: number },
): Promise<ListedEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'at', 'kind', 'facts', 'user_id'])
    .where('workspace_id', '=', workspaceId)
    .$if(before !== undefined, (query) => query.where('id', '<', (before ?? '').toLowerCase()))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const names = await readUserNames(
    db,
    rows.map((row) => row.user_id),
  );
  return rows.flatMap(({ user_id, kind, facts, ...row }) =>
    isEventKind(kind)
      ? {
          ...row,
          kind,
          facts: factsSchema.parse(JSON.parse(facts)),
          name: names.get(user_id ?? ''),
        }
      : [],
  );
}

/** Reads the names of users by id. Leaves out unknown ids. */
export async function readUserNames(
  db: Kysely<AccessTables>,
  ids: ReadonlyArray<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const userIds = [...new Set(ids.flatMap((id) => id ?? [])), ''];
  const users = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', userIds)
    .execute();
  return new Map(users.map(({ id, name }) => [id, name]));
}

/** Whether this version knows a kind of event. A newer version may have written others. */
function isEventKind(kind: string): kind is EventKind {
  return Object.hasOwn(eventTitles, kind);
}
