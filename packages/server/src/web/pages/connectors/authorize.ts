import { splitTarget } from '../../../api/request/split-target.ts';
import {
  connectorAddress,
  connectorScope,
  isLoopback,
} from '../../../people/connectors/address.ts';
import type { ConnectorAddress } from '../../../people/connectors/address.ts';
import { isDocumentAddress } from '../../../people/connectors/client-document.ts';
import { findClient, hasRedirect } from '../../../people/connectors/clients.ts';
import type { ConnectorClient } from '../../../people/connectors/clients.ts';
import { makeGrant } from '../../../people/connectors/grants.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import { selectField } from '../../parts/fields.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import { personOf } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';
import { PageFault, notFound } from '../../request/page-fault.ts';
import { ownWorkspaces } from '../workspaces/workspaces.ts';

const path = '/oauth/authorize';

/** The page on which a person lets an assistant read a workspace (RFC 6749, 4.1.1). */
export const authorizeRoutes: readonly Route[] = [
  { method: 'GET', path, role: 'user', run: show },
  { method: 'POST', path, role: 'user', does: 'connect an assistant of one’s own', run: decide },
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
  if (fault !== undefined) return sendBack(asking, fault);
  allowWayBack(context, asking.redirect);
  return { page: await consentPage(context, asking) };
}

/** The form is sent to the address of its page, so everything in it is checked again. */
async function decide(context: PageContext): Promise<Result> {
  const asking = await readAsking(context);
  allowWayBack(context, asking.redirect);
  const fault = faultOf(asking);
  if (fault !== undefined) return sendBack(asking, fault);
  const { workspace: slug, decision } = readForm(context.request.body, ['workspace', 'decision']);
  if (decision !== 'connect') {
    return sendBack(asking, { error: 'access_denied', error_description: 'The person declined.' });
  }
  const workspace = (await ownWorkspaces(context)).find((each) => each.slug === slug);
  if (workspace === undefined) throw notFound();
  const { client, redirect, parameters, address } = asking;
  const code = await makeGrant(context.store, {
    workspaceId: workspace.id,
    userId: personOf(context).user.id,
    client,
    host: hostOf(asking),
    resource: address.resource,
    redirectUri: parameters.get('redirect_uri') ?? redirect.href,
    challenge: parameters.get('code_challenge') ?? '',
    clock: context.clock,
  });
  return sendBack(asking, { code });
}

/** Reads the request. Who sends a person to a stranger's address gets a page, never a redirect. */
async function readAsking(context: PageContext): Promise<Asking> {
  const { request, reply, publicUrl, connectors, store, fetchDocument, clock } = context;
  const address = connectorAddress(publicUrl(), connectors);
  if (address === undefined) throw notFound();
  reply.header('Cache-Control', 'no-store');
  const { mayRegister } = address;
  const parameters = new URLSearchParams(splitTarget(request.originalUrl).search);
  const [id, redirect] = [only(parameters, 'client_id'), only(parameters, 'redirect_uri')];
  const client =
    id === undefined
      ? undefined
      : await findClient(store.access, id, { fetchDocument, mayRegister, clock });
  if (client === undefined) {
    throw new PageFault(
      400,
      'This assistant is unknown',
      'Nothing was connected. Begin again in the assistant. If that does not help, its host has no description of itself where it says, or this server does not take its kind of registration.',
    );
  }
  if (redirect === undefined || !hasRedirect(client, redirect)) {
    throw new PageFault(
      400,
      'The assistant names a wrong way back',
      'Nothing was connected. The address to which you would be sent is not one that the assistant’s host has named as its own.',
    );
  }
  return { client, redirect: new URL(redirect), parameters, address };
}

/** What a person takes back to the client. */
type BackParameters = Readonly<Record<string, string>>;

/** The value of a parameter that occurs once. */
function only(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = parameters.getAll(name);
  return others.length === 0 ? value : undefined;
}

/** What is wrong with a request, for the client. Parameters that nobody knows are ignored. */
function faultOf({ parameters, address: { resource } }: Asking): BackParameters | undefined {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  const names = [...parameters.keys()];
  if (new Set(names).size < names.length) {
    return fault('invalid_request', 'A parameter occurs more than once.');
  }
  if (parameters.get('response_type') !== 'code') {
    return fault('unsupported_response_type', 'response_type must be code.');
  }
  const isHashed = parameters.get('code_challenge_method') === 'S256';
  if (!isHashed || !/^[\w-]{43}$/.test(parameters.get('code_challenge') ?? '')) {
    return fault('invalid_request', 'PKCE with S256 is required.');
  }
  if (URL.parse(parameters.get('resource') ?? '')?.href !== resource) {
    return fault('invalid_target', `resource must be ${resource}`);
  }
  const scopes = parameters.get('scope')?.split(' ') ?? [connectorScope];
  if (!scopes.includes(connectorScope)) {
    return fault('invalid_scope', `The scope of this server is ${connectorScope}`);
  }
  return undefined;
}

/** Sends the person back to the client, with our name, so that it knows who answers (RFC 9207). */
function sendBack({ redirect, parameters, address }: Asking, response: BackParameters): Result {
  const url = new URL(redirect);
  const state = parameters.get('state');
  for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', address.issuer);
  return { redirect: url.href };
}

/** Lets the form of this page lead to the client: browsers check where a form's redirect leads. */
function allowWayBack({ reply }: PageContext, { origin, hostname, protocol }: URL): void {
  const name = 'Content-Security-Policy';
  // A policy cannot name an IPv6 address.
  const source = hostname.startsWith('[') ? protocol : origin;
  const policy = String(reply.getHeader(name));
  reply.header(
    name,
    policy.replace("form-action 'self'", () => `form-action 'self' ${source}`),
  );
}

/** Where the client's document is, or else where the person is sent back to. */
function hostOf({ client, redirect }: Asking): string {
  return isDocumentAddress(client.id) ? new URL(client.id).host : redirect.host;
}

async function consentPage(context: PageContext, asking: Asking): Promise<Html> {
  const { client, redirect } = asking;
  const { user } = personOf(context);
  const workspaces = await ownWorkspaces(context);
  const content = html`<p>
      <strong>${client.name}</strong> asks to read a workspace of yours. Nobody has checked its name:
      connect it only if you have just asked for this.
    </p>
    ${facts([
      [
        'Described at',
        isDocumentAddress(client.id)
          ? new URL(client.id).host
          : 'nowhere: it registered itself here',
      ],
      [
        'Sends you back to',
        isLoopback(redirect) ? `a program on your computer (${redirect.host})` : redirect.host,
      ],
      ['You are', `${user.name} (${user.email})`],
    ])}
    <ul>
      <li>It reads what a viewer of the workspace reads: prompts, answers, figures, crawlers.</li>
      <li>It changes nothing.</li>
      <li>What it reads goes to its provider.</li>
      <li>You can end this at any time, under your account.</li>
    </ul>
    ${workspaces.length === 0 ? html`<p class="notice warn">You are not a member of any workspace.</p>` : consentForm(context, workspaces)}`;
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
