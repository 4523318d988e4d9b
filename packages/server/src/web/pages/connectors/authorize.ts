import { splitTarget } from '../../../api/request/split-target.ts';
import {
  connectorAddress,
  connectorScope,
  hasRepeated,
  isForTools,
  isLoopback,
} from '../../../people/connectors/address.ts';
import type { ConnectorAddress } from '../../../people/connectors/address.ts';
import { isDocumentAddress } from '../../../people/connectors/client-documents.ts';
import { findRegistered, hasRedirect } from '../../../people/connectors/clients.ts';
import type { ConnectorClient } from '../../../people/connectors/clients.ts';
import { makeGrant } from '../../../people/connectors/grants.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import { selectField } from '../../parts/fields.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';
import { PageFault, notFound } from '../../request/page-fault.ts';
import { ownWorkspaces } from '../workspaces/workspaces.ts';

const path = '/oauth/authorize';

/** The page on which a person lets an assistant read a workspace (RFC 6749, 4.1.1). */
export const authorizeRoutes: readonly Route[] = [
  get(path, 'user', show),
  post(path, 'user', 'connect an assistant of one’s own', decide),
];

/** A request of a known client, with an address of its own to send the person back to. */
interface Asking {
  readonly client: ConnectorClient;
  readonly redirect: URL;
  readonly parameters: URLSearchParams;
  readonly address: ConnectorAddress;
}

async function show(context: PageContext): Promise<Result> {
  const asking = await readAsking(context);
  const fault = faultOf(asking);
  if (fault !== undefined) return faultPage(context, asking, fault);
  allowWayBack(context);
  return { page: consentPage(context, asking, await openWorkspaces(context)) };
}

/** The form is sent to the address of its page, so everything in it is checked again. */
async function decide(context: PageContext): Promise<Result> {
  const asking = await readAsking(context);
  const fault = faultOf(asking);
  if (fault !== undefined) return faultPage(context, asking, fault);
  const { workspace: slug, decision } = readForm(context.request.body, ['workspace', 'decision']);
  if (decision !== 'connect') {
    const declined = { error: 'access_denied', error_description: 'The person declined.' };
    return { redirect: wayBack(asking, declined) };
  }
  const workspace = (await openWorkspaces(context)).find((each) => each.slug === slug);
  if (workspace === undefined) throw notFound();
  const { client, redirect, parameters, address } = asking;
  const code = await makeGrant(context.store.access, {
    workspace_id: workspace.id,
    user_id: personOf(context).user.id,
    client_id: client.id,
    client_name: client.name,
    host: isDocumentAddress(client.id) ? new URL(client.id).host : redirect.host,
    resource: address.resource,
    redirectUri: parameters.get('redirect_uri') ?? redirect.href,
    challenge: parameters.get('code_challenge') ?? '',
    clock: context.clock,
  });
  return { redirect: wayBack(asking, { code }) };
}

async function openWorkspaces(context: PageContext): Promise<readonly Workspace[]> {
  return (await ownWorkspaces(context)).filter(({ archived_at: at }) => at === null);
}

/** Reads the request. Who sends a person to a stranger's address gets a page, never a redirect. */
async function readAsking(context: PageContext): Promise<Asking> {
  const { request, reply, publicUrl, connectors } = context;
  const address = connectorAddress(publicUrl(), connectors);
  if (address === undefined) throw notFound();
  reply.header('Cache-Control', 'no-store');
  const parameters = new URLSearchParams(splitTarget(request.originalUrl).search);
  const [id = '', redirect = ''] = [
    only(parameters, 'client_id'),
    only(parameters, 'redirect_uri'),
  ];
  const client = await findClient(context, id, address);
  if (client === undefined) {
    throw new PageFault(
      400,
      'This assistant is unknown',
      'Nothing was connected. Start again in the assistant. If that does not help, its host does not publish a description of it, or this server does not let it register.',
    );
  }
  if (!hasRedirect(client, redirect)) {
    throw new PageFault(
      400,
      'The assistant gives a wrong address to return to',
      'Nothing was connected. You would be sent to an address that the assistant’s host has not named as its own.',
    );
  }
  return { client, redirect: new URL(redirect), parameters, address };
}

/** The value of a parameter that occurs once. */
function only(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = parameters.getAll(name);
  return others.length === 0 ? value : undefined;
}

async function findClient(
  context: PageContext,
  id: string,
  { mayRegister }: ConnectorAddress,
): Promise<ConnectorClient | undefined> {
  const { store, clock, findDocument } = context;
  if (!isDocumentAddress(id)) {
    return mayRegister ? findRegistered(store.access, id, clock) : undefined;
  }
  const found = await findDocument(id, personOf(context).user.id);
  if (typeof found !== 'number') return found;
  throw new PageFault(
    429,
    'Too many assistants in an hour',
    `Nothing was connected. Try again in ${Math.ceil(found / 60)} min.`,
    { 'Retry-After': String(found) },
  );
}

/** What a person takes back to the client, beside the state and our name. */
type BackParameters = Readonly<Record<string, string>>;

/** What is wrong with a request, for the client. Parameters that nobody knows are ignored. */
function faultOf({ parameters, address }: Asking): BackParameters | undefined {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  if (hasRepeated(parameters)) {
    return fault('invalid_request', 'A parameter occurs more than once.');
  }
  if (parameters.get('response_type') !== 'code') {
    return fault('unsupported_response_type', 'response_type must be code.');
  }
  const isHashed = parameters.get('code_challenge_method') === 'S256';
  if (!isHashed || !/^[\w-]{43}$/.test(parameters.get('code_challenge') ?? '')) {
    return fault('invalid_request', 'PKCE with S256 is required.');
  }
  if (!isForTools(parameters, address)) {
    return fault('invalid_target', `resource must be ${address.resource}.`);
  }
  const scope = parameters.get('scope') ?? '';
  if (scope !== '' && !scope.split(' ').includes(connectorScope)) {
    return fault('invalid_scope', `The scope of this server is ${connectorScope}.`);
  }
  return undefined;
}

/** The address of the client, with our name, so that it knows who answers (RFC 9207). */
function wayBack({ redirect, parameters, address }: Asking, response: BackParameters): string {
  const url = new URL(redirect);
  const state = parameters.get('state');
  for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', address.issuer);
  return url.href;
}

/**
 * Lets the form of this page lead anywhere: browsers check each redirect after it, and a host's own
 * leads to another site of it or to a program.
 */
function allowWayBack({ reply }: PageContext): void {
  const name = 'Content-Security-Policy';
  reply.header(name, String(reply.getHeader(name)).replace("form-action 'self'; ", ''));
}

/**
 * Shows what is wrong, with a link that takes it back to the client. Anyone can publish a document, so
 * without this click a link to our host would lead wherever a stranger wants (RFC 9700, 4.11.2).
 */
function faultPage({ assets }: PageContext, asking: Asking, fault: BackParameters): Result {
  const content = html`<p>
      Nothing was connected. <strong>${asking.client.name}</strong> sent a request that this server
      does not accept. Tell its provider: ${fault['error_description']}
    </p>
    ${clientFacts(asking)}
    <p class="actions"><a class="button" href="${wayBack(asking, fault)}">Go back to it</a></p>`;
  const title = 'The assistant’s request is faulty';
  return { page: narrowPage({ title, assets, content }), status: 400 };
}

function clientFacts({ client, redirect }: Asking, person?: string): Html {
  return facts([
    [
      'Described by',
      isDocumentAddress(client.id) ? new URL(client.id).host : 'itself: it registered here',
    ],
    [
      'Sends you back to',
      isLoopback(redirect) ? `a program on your computer (${redirect.host})` : redirect.host,
    ],
    ['You', person],
  ]);
}

function consentPage(context: PageContext, asking: Asking, workspaces: readonly Workspace[]): Html {
  const { client } = asking;
  const { user } = personOf(context);
  const content = html`<p>
      <strong>${client.name}</strong> asks to read one of your workspaces.
      Nobody has checked its name: connect it only if you have just asked for this.
    </p>
    ${clientFacts(asking, `${user.name} (${user.email})`)}
    <ul>
      <li>It reads what a viewer of the workspace reads: prompts, answers, figures, crawlers.</li>
      <li>It changes nothing.</li>
      <li>Its provider gets what it reads.</li>
      <li>The connection ends after a year. You can end it earlier, under Your account.</li>
    </ul>
    ${workspaces.length === 0 ? html`<p class="notice warn">You have no workspace that it could read.</p>` : consentForm(context, workspaces)}`;
  return narrowPage({ title: `Connect ${client.name}?`, assets: context.assets, content });
}

function consentForm({ request }: PageContext, workspaces: readonly Workspace[]): Html {
  const options = workspaces.map(({ slug, name }) => [slug, name] as const);
  return html`<form method="post" action="${request.originalUrl}">
    ${selectField(emptyForm, { name: 'workspace', label: 'Workspace', options })}
    <p class="actions">
      <button class="button primary" name="decision" value="connect">Connect</button>
      <button class="button" name="decision" value="cancel">Cancel</button>
    </p>
  </form>`;
}
