import type { Kysely, Selectable } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { dayMs, utcDay } from '../values/time/utc-day.ts';
import { contentId } from '../values/uuid.ts';
import { readAlertFacts } from './alert-facts.ts';
import { alertMessage, alertRules } from './alerts.ts';
import type { AlertFinding } from './alerts.ts';
import { nextMoment, quietEnd } from './message-times.ts';
import type { ReportSource } from '../reports/report-source.ts';
import { operatorKinds } from './recipients.ts';
import { insertMessage } from './insert-message.ts';
import { writeWeeklyMessage } from './weekly-message.ts';

type Db = Kysely<AccessTables>;
type Time = Selectable<AccessTables['message_times']>;

const hourMs = 3_600_000;
/** What is gone for as long is new when it comes back. */
const goneDays = 7;

/** What the writing of messages needs. */
export interface Writing {
  readonly publicUrl: string;
  readonly clock: () => number;
  /** What is wrong with the backups, in a sentence; undefined if nothing is. */
  readonly backupFault?: string | undefined;
}

/**
 * Writes the weekly message of a workspace that was due last, and sets when the next one is, in one
 * transaction. The message's id comes from its local date, so that two servers write the same one.
 * Returns the number of messages written.
 */
export async function writeWeekly(
  store: Store,
  time: Time,
  { publicUrl, clock }: Writing,
): Promise<number> {
  const { workspace_id: workspaceId } = time;
  const nowMs = clock();
  let due = nextMoment(time, Date.parse(time.next_at) - 1);
  let next = nextMoment(time, due.atMs);
  while (next.atMs <= nowMs) [due, next] = [next, nextMoment(time, next.atMs)];
  const { recipients } = await findRecipients(store, workspaceId);
  const message =
    recipients.length > 0 &&
    (await inSnapshot(store, workspaceId, (source) =>
      writeWeeklyMessage(store, source, { atMs: due.atMs, publicUrl, tag: time.tag }),
    ));
  return store.access.transaction().execute(async (access) => {
    await access
      .updateTable('message_times')
      .set({ next_at: new Date(next.atMs).toISOString() })
      .where('workspace_id', '=', workspaceId)
      .where('next_at', '=', time.next_at)
      .execute();
    if (message === false) return 0;
    const id = contentId('message', [workspaceId, 'weekly', due.date]);
    return insertMessage(access, { workspaceId, id, kind: 'weekly', message, recipients, clock });
  });
}

/**
 * Looks for alerts of a workspace, unless its quiet hours last, and writes a message for each kind
 * that has something new. Returns the number of messages written.
 */
export async function writeAlerts(
  store: Store,
  time: Time,
  { publicUrl, clock, backupFault }: Writing,
): Promise<number> {
  const { workspace_id: workspaceId } = time;
  const nowMs = clock();
  const quietMs = quietEnd(time, nowMs);
  const nextMs = quietMs ?? (Math.floor(nowMs / hourMs) + 1) * hourMs;
  const { numUpdatedRows: claims } = await store.access
    .updateTable('message_times')
    .set({ check_at: new Date(nextMs).toISOString() })
    .where('workspace_id', '=', workspaceId)
    .where('check_at', '=', time.check_at)
    .executeTakeFirst();
  if (claims !== 1n || quietMs !== undefined) return 0;
  const { recipients, ofOperator } = await findRecipients(store, workspaceId);
  if (recipients.length === 0) return 0;
  const { facts, workspace } = await inSnapshot(store, workspaceId, async (source) => ({
    facts: await readAlertFacts(store, source, { nowMs, backupFault, tag: time.tag }),
    workspace: await source.db
      .selectFrom('workspaces')
      .select(['slug', 'name'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow(),
  }));
  return store.access.transaction().execute(async (access) => {
    let written = 0;
    for (const rule of alertRules) {
      const { kind } = rule;
      const to = operatorKinds.includes(kind) ? ofOperator : recipients;
      const found = to.length === 0 ? [] : rule.find(facts);
      const told = await noteAlerts(access, { workspaceId, kind, found, nowMs });
      const [first] = told;
      if (first === undefined) continue;
      const id = contentId('message', [workspaceId, rule.kind, first.subject, utcDay(nowMs)]);
      const message = alertMessage(rule, told, { workspace, publicUrl, nowMs, tag: facts.tag });
      const insert = { workspaceId, id, kind, message, recipients: to, clock };
      written += await insertMessage(access, insert);
    }
    return written;
  });
}

/**
 * Stores what is found of a kind, and returns what is new and to be told now. What is gone for less
 * than a week is not new when it comes back. After an alert of a kind, what is new waits for a day.
 * A part of a whole that was told, or is now, is stored as if it was told.
 */
async function noteAlerts(
  access: Db,
  {
    workspaceId,
    kind,
    found,
    nowMs,
  }: { workspaceId: string; kind: string; found: readonly AlertFinding[]; nowMs: number },
): Promise<readonly AlertFinding[]> {
  const momentOf = (ms: number) => new Date(ms).toISOString();
  const ofKind = access
    .selectFrom('alerts')
    .select(['subject', 'gone_at'])
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind);
  await access
    .deleteFrom('alerts')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('gone_at', '<', momentOf(nowMs - goneDays * dayMs))
    .execute();
  const known = new Map((await ofKind.execute()).map((row) => [row.subject, row.gone_at]));
  const subjects = new Set(found.map(({ subject }) => subject));
  for (const [subject, goneAt] of known) {
    const isGone = !subjects.has(subject);
    if (isGone === (goneAt !== null)) continue;
    await access
      .updateTable('alerts')
      .set({ gone_at: isGone ? momentOf(nowMs) : null })
      .where('workspace_id', '=', workspaceId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
  }
  // Another server may write the same alert at this moment: only one of the two inserts a row.
  const insert = async ({ subject }: AlertFinding) => {
    const { numInsertedOrUpdatedRows: count } = await access
      .insertInto('alerts')
      .values({ workspace_id: workspaceId, kind, subject, gone_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return count === 1n;
  };
  const fresh = found.filter(({ subject }) => !known.has(subject));
  const isPart = ({ partOf }: AlertFinding) => partOf !== undefined && subjects.has(partOf);
  const news = fresh.filter((finding) => !isPart(finding));
  if (fresh.length === 0) return [];
  const last = await access
    .selectFrom('messages')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('created_at', '>', momentOf(nowMs - dayMs))
    .limit(1)
    .executeTakeFirst();
  // A whole that waits keeps its parts waiting.
  if (news.length > 0 && last !== undefined) return [];
  const told = [];
  for (const finding of fresh) if ((await insert(finding)) && !isPart(finding)) told.push(finding);
  return told;
}

/**
 * The recipients of a workspace, and those among them that are told what concerns the operator; none
 * of an archived workspace.
 */
async function findRecipients({ access, reader }: Store, workspaceId: string) {
  const rows = await access
    .selectFrom('recipients')
    .select(['id', 'for_operator'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const workspace = await reader
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  const all = workspace === undefined ? [] : rows;
  const ofOperator = all.filter(({ for_operator: isToo }) => Boolean(isToo));
  return { recipients: all.map(({ id }) => id), ofOperator: ofOperator.map(({ id }) => id) };
}

async function inSnapshot<Result>(
  store: Store,
  workspaceId: string,
  read: (source: ReportSource) => Promise<Result>,
): Promise<Result> {
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    return await read({ db, workspaceId });
  } finally {
    await release();
  }
}
