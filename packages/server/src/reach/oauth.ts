import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import { createFailureLimit } from '../access/failure-limit.ts';
import {
  connectorAddress,
  connectorScope,
  hasRepeated,
  isForTools,
} from '../people/connectors/address.ts';
import type { ConnectorAddress } from '../people/connectors/address.ts';
import { isDocumentAddress } from '../people/connectors/client-documents.ts';
import { findRegistered, registerClient } from '../people/connectors/clients.ts';
import { exchangeCode, refreshTokens, revokeToken } from '../people/connectors/grant-tokens.ts';
import { Problem } from '../problems.ts';
import type { ReachDependencies } from './pipeline.ts';

interface OAuthRoute {
  readonly path: string;
  readonly methods: readonly HTTPMethods[];
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** How many clients one network may register in an hour. */
const registrationsMax = 20;
/** How many pairs of tokens one grant may get in an hour: many machines of one person take one each. */
const pairsMax = 60;

/** The sign-in of assistants but for its page: metadata, tokens, revocation and registration. */
export function oauthRoutes(dependencies: ReachDependencies): readonly OAuthRoute[] {
  const { store, clock, publicUrl, connectors } = dependencies;
  const windowMs = 60 * 60_000;
  const noteRegistration = createFailureLimit({ failuresMax: registrationsMax, windowMs, clock });
  const notePair = createFailureLimit({ failuresMax: pairsMax, windowMs, clock });
  return [
    document('/.well-known/oauth-protected-resource', describeTools),
    document('/.well-known/oauth-protected-resource/mcp', describeTools),
    document('/.well-known/oauth-authorization-server', describeSignIn),
    endpoint('/oauth/token', takeTokens),
    endpoint('/oauth/revoke', revoke),
    endpoint('/oauth/register', register),
  ];

  /** A public document, which pages of other sites may read. */
  function document(path: string, describe: (address: ConnectorAddress) => object): OAuthRoute {
    return {
      path,
      methods: ['GET', 'HEAD', 'OPTIONS'],
      handler: async ({ method }, reply) => {
        const body = describe(requireAddress());
        reply.headers({
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Headers': '*',
          'Cache-Control': 'public, max-age=300',
        });
        return method === 'OPTIONS' ? reply.code(204).send() : reply.send(body);
      },
    };
  }

  function endpoint(
    path: string,
    respond: (request: FastifyRequest, address: ConnectorAddress) => Promise<object>,
  ): OAuthRoute {
    return {
      path,
      methods: ['POST'],
      handler: async (request, reply) => {
        const address = requireAddress();
        reply.headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
        try {
          const body = await respond(request, address);
          return reply.code(respond === register ? 201 : 200).send(body);
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
          const { code, message: error_description } = error;
          const status = code === 'invalid_client' ? 401 : 400;
          return reply.code(status).send({ error: code, error_description });
        }
      },
    };
  }

  function requireAddress(): ConnectorAddress {
    const address = connectorAddress(publicUrl(), connectors);
    if (address !== undefined) return address;
    throw new Problem('not_found', 'Assistants cannot sign in to this server.');
  }

  async function takeTokens(request: FastifyRequest, address: ConnectorAddress) {
    const { resource, mayRegister } = address;
    const form = readForm(request);
    const clientId = need(form, 'client_id');
    // A client with a document has no row: its codes and tokens name it.
    const isKnown =
      isDocumentAddress(clientId) ||
      (mayRegister && (await findRegistered(store.access, clientId, clock)) !== undefined);
    if (!isKnown) {
      throw new OAuthError('invalid_client', 'This client is not registered here, or no longer.');
    }
    if (!isForTools(form, address)) {
      throw new OAuthError('invalid_target', `resource must be ${resource}`);
    }
    const tokens = await exchange(form, { clientId, resource, clock });
    if (typeof tokens === 'number') throw tooMany('This connection took too many tokens.', tokens);
    if (tokens !== undefined) return tokens;
    throw new OAuthError(
      'invalid_grant',
      'It has ended, was used before, or is not this client’s.',
    );
  }

  function exchange(
    form: URLSearchParams,
    from: { clientId: string; resource: string; clock: () => number },
  ) {
    const type = need(form, 'grant_type');
    if (type === 'refresh_token') {
      return refreshTokens(store.access, { ...from, token: need(form, 'refresh_token'), notePair });
    }
    if (type === 'authorization_code') {
      const [code, verifier] = [need(form, 'code'), need(form, 'code_verifier')];
      const redirectUri = form.get('redirect_uri') ?? undefined;
      return exchangeCode(store.access, { ...from, code, verifier, redirectUri });
    }
    throw new OAuthError('unsupported_grant_type', 'Send a code or a refresh token.');
  }

  async function revoke(request: FastifyRequest) {
    const form = readForm(request);
    const [token, clientId] = [need(form, 'token'), form.get('client_id') ?? undefined];
    if (await revokeToken(store.access, { token, clientId, clock })) return {};
    throw new OAuthError('invalid_client', 'The token is another client’s.');
  }

  async function register(request: FastifyRequest, { mayRegister }: ConnectorAddress) {
    if (!mayRegister) throw new Problem('not_found', 'Clients cannot register at this server.');
    const seconds = noteRegistration(request.ip);
    if (seconds !== undefined) {
      throw tooMany('Too many registrations came from this address.', seconds);
    }
    const registration = readRegistration(request);
    const client = registration && (await registerClient(store.access, { ...registration, clock }));
    if (client === undefined) {
      throw new OAuthError(
        'invalid_redirect_uri',
        "Send a JSON object with redirect_uris, of which one has https, or http on this machine's own address, such as http://127.0.0.1.",
      );
    }
    return {
      client_id: client.id,
      client_id_issued_at: Math.floor(clock() / 1000),
      client_name: client.name,
      redirect_uris: client.redirects,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: connectorScope,
    };
  }
}

/** The error of a client's request (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

function tooMany(detail: string, seconds: number): Problem {
  return new Problem('too_many_failures', detail, { headers: { 'Retry-After': String(seconds) } });
}

/** RFC 9728. */
function describeTools({ resource, issuer }: ConnectorAddress) {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [connectorScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Overheard',
  };
}

/** RFC 8414. */
function describeSignIn({ issuer, mayRegister }: ConnectorAddress) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...(mayRegister && { registration_endpoint: `${issuer}/oauth/register` }),
    scopes_supported: [connectorScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

function readForm({ headers, body }: FastifyRequest): URLSearchParams {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) {
    throw new OAuthError('invalid_request', 'Send a form, application/x-www-form-urlencoded.');
  }
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '');
  if (!hasRepeated(form)) return form;
  throw new OAuthError('invalid_request', 'A field occurs more than once.');
}

function need(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? '';
  if (value === '') throw new OAuthError('invalid_request', `The field ${name} is missing.`);
  return value;
}

const registrationSchema = z
  .object({ client_name: z.string().catch(''), redirect_uris: z.array(z.string()) })
  .transform(({ client_name: name, redirect_uris: redirects }) => ({ name, redirects }));

function readRegistration({ body }: FastifyRequest) {
  try {
    return registrationSchema.parse(JSON.parse(String(body)));
  } catch {
    return undefined;
  }
}
