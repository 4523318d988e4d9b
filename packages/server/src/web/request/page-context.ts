import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { FailureLimit } from '../../access/failure-limit.ts';
import type { PriceRow } from '../../collect/engines/prices.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Refusal } from '../../refusals.ts';
import type { Growth } from '../../reports/operator-facts.ts';
import type { ReportReader, WorkspaceReports } from '../reader/report-reader.ts';
import type { RecentFailure } from '../../api/service/failure-log.ts';
import type { Metrics } from '../../api/service/metrics.ts';
import type { Deadline } from '../../api/service/deadline.ts';
import type { DocumentFetch, FindDocument } from '../../people/connectors/client-documents.ts';
import type { ChangeAuthor } from '../../people/events.ts';
import type { RoleAccess } from '../../people/roles.ts';
import type { OpenSession } from '../../people/sessions.ts';
import type { SignInLimits } from '../../people/sign-in.ts';
import type { User } from '../../people/users.ts';
import type { Store } from '../../storage/store.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import type { Assets } from '../assets.ts';
import type { Content, Html } from '../markup/html.ts';
import type { PageFault } from './page-fault.ts';

/** The effects and services that the pages need. */
export interface WebDependencies {
  readonly store: Store;
  readonly log: Logger;
  readonly clock: () => number;
  readonly publicUrl: () => string;
  /** Requests per endpoint and workspace in the contract's window; 0 lifts the quota. */
  readonly quota: number;
  readonly trustProxy: readonly string[];
  readonly isDraining: () => boolean;
  /** When the newest kept backup was made, in milliseconds since 1970. */
  readonly lastBackupMs?: (() => Promise<number | undefined>) | undefined;
  /** How the database grows by its kept backups, and in how many days its disk is full. */
  readonly growth?: (() => Promise<Growth | undefined>) | undefined;
  /** The newest failed requests, the last one first. */
  readonly failures?: RecentFailure[] | undefined;
  /** Whether cookies may be sent over plain http. */
  readonly mayUsePlainHttp: boolean;
  /** Rewrites commands in a message to the way this program was called, such as `npx overheard`. */
  readonly command: (words: string) => string;
  /** The command that makes a link to this server. */
  readonly linkCommand: () => string;
  /** The environment's variables: keys of engines, and the secret under which pasted ones are stored. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prices of engines that the operator has given. */
  readonly prices: readonly PriceRow[];
  /** Does work that takes longer than a request. */
  readonly runner: JobRunner;
  /** Reads reports in a separate thread. */
  readonly reports: Pick<ReportReader, 'of'>;
  /** The most bytes of one uploaded file. */
  readonly uploadBytesMax: number;
  /** The setting that says which assistants people may connect, and how to fetch their documents. */
  readonly connectors: string;
  readonly fetchDocument: DocumentFetch;
  /** The command that starts the tool server for assistants on this machine. */
  readonly toolServer: { readonly command: string; readonly args: readonly string[] };
}

/** What the API's app shares with the pages behind the same listener. */
export interface SharedParts {
  readonly metrics: Metrics;
  readonly deadline: Deadline;
}

/** What the page of a route works with: the request, who sent it, the workspace and the services. */
export interface PageContext extends Omit<WebDependencies, 'reports'> {
  /** The reports of the workspace that the path names. */
  readonly reports: WorkspaceReports;
  readonly reportsOf: (workspaceId: string) => WorkspaceReports;
  readonly limits: SignInLimits;
  readonly findDocument: FindDocument;
  /**
   * Counts that an address opens a report link. Returns the seconds to wait if that is too often.
   */
  readonly linkLimit: FailureLimit;
  readonly assets: Assets;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: OpenSession | undefined;
  /** Undefined if the path names no workspace. */
  readonly workspace: Workspace | undefined;
  /** Gaps that nobody has begun, for the navigation. */
  readonly openGaps?: number | undefined;
  readonly role: RoleAccess;
  /** The path and query that links go on from, if they are not those of the request. */
  readonly target?: string | undefined;
  /** Set if a report link shows the page to someone without an account. */
  readonly shared?: SharedPage | undefined;
}

/** What a route under `/w/:slug` works with. */
export interface WorkspaceContext extends PageContext {
  readonly workspace: Workspace;
}

/** The page that a report link shows. */
export interface SharedPage {
  /** The path and query of the page that the link was made for. */
  readonly target: string;
  /** The path of the page's table as a file. */
  readonly csv: string;
  /** Whether the page shows answers and evidence. */
  readonly hasTexts: boolean;
  /** The path of the workspace's logo, if it has one. */
  readonly logo?: string | undefined;
  /** The name of the person who made the link, and the moment when it ends. */
  readonly by?: string | undefined;
  readonly until?: string;
}

/** The response of a page: a document, a redirect after a form, a file, or a picture. */
export type Result =
  | { readonly page: Html; readonly status?: number }
  | { readonly redirect: string }
  | { readonly download: Download }
  | { readonly png: Buffer };

/** A file that is written while it is sent. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly stream: Readable;
}

/** One page or form. */
export interface Route<Context = PageContext> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The role that may use the route. The server does not start if a route has none. */
  readonly role: RoleAccess;
  /** The right that a form needs, for the table of roles in the docs. */
  readonly does?: string;
  /** The most bytes of its form, if that may be longer than a few lines of text. */
  readonly formBytesMax?: number;
  /** Whether its form has a file, which may take longer than a page. */
  readonly takesFile?: boolean;
  /**
   * For a page of reports: what it depends on besides the workspace's data, the UTC day, the
   * address and the person. Such a page has an entity tag, so it must not show how long ago
   * something was.
   */
  readonly dependsOn?: (context: Context) => unknown;
  readonly run: (context: Context) => Promise<Result> | Result;
  /**
   * What to show if a flow refuses: the form again, or a fault. Without a return value, the refusal is
   * a failure of the server. A database that is away never comes here: it has a page of its own.
   */
  readonly onRefusal?: (
    context: Context,
    refusal: Refusal,
  ) => RefusedResult | Promise<RefusedResult>;
}

/** One page or form under `/w/:slug`. */
export type WorkspaceRoute = Route<WorkspaceContext>;

/** A page for people with a role. */
export function get<Context = PageContext>(
  path: string,
  role: RoleAccess,
  run: Route<Context>['run'],
  more: Pick<Route<Context>, 'dependsOn' | 'onRefusal'> = {},
): Route<Context> {
  return { method: 'GET', path, role, run, ...more };
}

/** A form for people with a role, and what it does. */
export function post<Context = PageContext>(
  path: string,
  role: RoleAccess,
  does: string,
  run: Route<Context>['run'],
  more: Pick<Route<Context>, 'onRefusal' | 'formBytesMax' | 'takesFile'> = {},
): Route<Context> {
  return { method: 'POST', path, role, does, run, ...more };
}

type RefusedResult = Result | PageFault | undefined;

/** The person of a route that needs one. */
export function personOf({ session }: PageContext): { session: OpenSession; user: User } {
  if (session === undefined) throw new Error('This route needs no session, so it has no user');
  return { session, user: session.user };
}

/** Who makes a change, for the history. */
export function authorOf(context: PageContext): ChangeAuthor {
  return { userId: personOf(context).user.id, clock: context.clock };
}

/** Gives routes under `/w/:slug` the workspace that their requests name. */
export function workspaceRoutes(routes: readonly WorkspaceRoute[]): readonly Route[] {
  return routes.map(({ dependsOn, run, onRefusal, ...route }) => ({
    ...route,
    ...(dependsOn && { dependsOn: (context) => dependsOn(inWorkspace(context)) }),
    run: (context) => run(inWorkspace(context)),
    ...(onRefusal && { onRefusal: (context, refusal) => onRefusal(inWorkspace(context), refusal) }),
  }));
}

function inWorkspace({ workspace, ...context }: PageContext): WorkspaceContext {
  if (workspace === undefined) throw new Error('The path of the route names no workspace');
  return { ...context, workspace };
}

/** The path and query of the shown page. Those of a report link are fixed. */
export function pageTarget({
  target,
  shared,
  request,
}: Pick<PageContext, 'target' | 'shared' | 'request'>): string {
  return target ?? shared?.target ?? request.originalUrl;
}

/** Whether the page may show answers and evidence. */
export function mayShowTexts({ shared }: Pick<PageContext, 'shared'>): boolean {
  return shared?.hasTexts ?? true;
}

/** Content that only members see, such as a command. Report links hide it. */
export function forMembers({ shared }: Pick<PageContext, 'shared'>, content: Content): Content {
  return shared === undefined && content;
}

/** A part of the path, such as `token` of `/invite/:token`. */
export function pathPart({ request }: Pick<PageContext, 'request'>, name: string): string {
  return paramsSchema.safeParse(request.params).data?.[name] ?? '';
}

const paramsSchema = z.record(z.string(), z.string());
