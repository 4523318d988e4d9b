import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { bearerToken } from '../access/authenticate.ts';
import { createRequestSteps } from '../api/request/request-steps.ts';
import type { ApiDependencies, ProgramParts } from '../api/service/dependencies.ts';
import type { Spool } from '../crawlers/spool/spool.ts';
import { connectorAddress, connectorScope } from '../people/connectors/address.ts';
import type { ConnectorAddress } from '../people/connectors/address.ts';
import { isDocumentAddress } from '../people/connectors/client-documents.ts';
import { openGrant, tokenPrefixes } from '../people/connectors/grant-tokens.ts';
import { Problem } from '../problems.ts';

/** The path of receivers, which ends in a token. */
export const ingestPath = '/ingest/';

/** What the app of programs needs. */
export interface ReachDependencies extends Pick<
  ApiDependencies,
  'store' | 'log' | 'clock' | 'publicUrl' | 'trustProxy' | 'isDraining' | 'cacheBytes'
> {
  /** The setting that says which assistants people may connect. */
  readonly connectors: string;
  /** Where received log lines wait; undefined if the server has no folder for them. */
  readonly spool?: Spool | undefined;
}

type Hook = Parameters<onRequestHookHandler>;

/** The methods of each path. */
export type MethodsOfPaths = ReadonlyMap<string, readonly string[]>;

/**
 * The steps of every request before its body is read, and those of a call of a tool. A step ends the
 * request by throwing a `Problem`.
 */
export function createPipeline(
  { publicUrl, isDraining, connectors, store, clock }: ReachDependencies,
  { methods, openWorkspace }: Pick<ProgramParts, 'openWorkspace'> & { methods: MethodsOfPaths },
) {
  const step = createRequestSteps({
    paths: { has: (path) => methods.has(path) || path.startsWith(ingestPath) },
    isDraining,
  });
  return {
    ofAll: [
      step.rejectClosedConnections,
      step.identify,
      step.refuseAmbiguity,
      step.refuseUnknownExpectations,
      step.routeExactly,
      refuseOtherMethods,
    ],
    ofCalls: [refuseForeignOrigins, authenticate],
  } as const;

  function refuseOtherMethods(...[request, , done]: Hook): void {
    const allowed = methods.get(request.url) ?? [];
    if (!allowed.includes(request.method)) {
      const Allow = allowed.join(', ');
      throw new Problem('method_not_allowed', `This path takes only ${Allow}.`, {
        headers: { Allow, Connection: 'close' },
      });
    }
    done();
  }

  /** Refuses pages of other sites, which could reach a server that only their visitor can reach. */
  function refuseForeignOrigins(...[{ headers }, , done]: Hook): void {
    const { origin } = headers;
    if (origin !== undefined && origin !== new URL(publicUrl()).origin) {
      throw new Problem('foreign_origin', 'The request comes from a page of another site.', {
        headers: { Connection: 'close' },
      });
    }
    done();
  }

  /** Opens the workspace of an access token or a key, or says where an assistant signs in. */
  async function authenticate(...[request]: Hook): Promise<void> {
    const address = connectorAddress(publicUrl(), connectors);
    if (address === undefined) return void (await openWorkspace(request));
    try {
      if (!(await openByToken(request, address))) await openWorkspace(request);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      const fault = error.code === 'invalid_api_key' ? ', error="invalid_token"' : '';
      const challenge = `Bearer resource_metadata="${address.metadata}", scope="${connectorScope}"${fault}`;
      throw new Problem(error.code, error.message, { headers: { 'WWW-Authenticate': challenge } });
    }
  }

  async function openByToken(
    request: FastifyRequest,
    { resource, mayRegister }: ConnectorAddress,
  ): Promise<boolean> {
    const token = bearerToken(request.headers.authorization ?? '') ?? '';
    if (!token.startsWith(tokenPrefixes.access)) return false;
    const grant = await openGrant(store.access, token, { resource, clock });
    // An ended token is no guess at a key, so it is not counted as one.
    if (grant === undefined || !(mayRegister || isDocumentAddress(grant.clientId))) {
      throw new Problem('invalid_api_key', 'The access token is unknown, or has ended.');
    }
    request.workspaceId = grant.workspaceId;
    return true;
  }
}
