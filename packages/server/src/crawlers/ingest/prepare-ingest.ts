import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readRobotsFiles } from '../../storage/queries/read-robots-files.ts';
import { readOwnSites } from '../../storage/queries/read-own-sites.ts';
import type { Store } from '../../storage/store.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { createFormats } from '../formats/file-formats.ts';
import { createIdentity } from '../hits/identity.ts';
import { createHistories } from '../../values/sites/robots-history.ts';
import type { Network } from '../../values/addresses/networks.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import { createLists } from '../operators/lists.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';
import { createIngestTally } from './ingest-tally.ts';
import { createTrustedProxies } from './trusted-proxies.ts';

export interface IngestOptions {
  readonly workspaceId: string;
  /** `auto`, the name of a format, or `fields=...`. */
  readonly format: string;
  /** Only hits from `sinceMs` on and before `untilMs`, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
  /** What the user wrote for `sinceMs`. If it is relative, a log is still read on when it moves. */
  readonly sinceWords?: string | undefined;
  readonly untilMs?: number | undefined;
  /** The site, as `hostOf` reads it, for lines that do not have it. */
  readonly host?: string | undefined;
  /** The user's own prefixes that translate IPv4 to IPv6. */
  readonly nat64?: readonly Network[] | undefined;
  readonly keepsQuery?: boolean;
  /** Networks, and names of content networks, whose headers are trusted. */
  readonly trusted?: readonly string[];
  /** What proves that one's own content network forwarded a request: see `LogLine.originAuth`. */
  readonly originSecrets?: readonly string[];
  readonly hostNames?: HostNames | undefined;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onRead?: (bytes: number) => void;
}

/** What the files of one ingest share. */
export type IngestContext = Awaited<ReturnType<typeof prepareIngest>>;

/**
 * Loads the rules of an ingest: the workspace's secret, bots and robots.txt, and operators' files. Throws a
 * `Refusal` for an unknown format and an unknown proxy.
 */
export async function prepareIngest(
  store: Store,
  { hostNames, trusted = [], originSecrets = [], onRead = () => {}, ...options }: IngestOptions,
) {
  const { workspaceId, clock, host, nat64 = [] } = options;
  // An unknown format is a wrong option, not a fault of the first file.
  createFormats(options.format);
  const { secret, keepAddressesDays } = await readCrawlerSettings(store, workspaceId);
  let bots = await readWorkspaceBots(store.writer, workspaceId);
  const rules = await loadRules();
  const optionsText = JSON.stringify([
    options.format,
    options.sinceWords ?? options.sinceMs,
    options.untilMs,
    host,
    trusted,
    options.keepsQuery ?? false,
    ...nat64.map(({ text }) => text),
    // Whether there is one, never which: the key is stored.
    ...(originSecrets.length > 0 ? ['origin secret'] : []),
  ]);
  return {
    ...options,
    store,
    secret,
    identity: createIdentity(secret),
    keepAddressesDays,
    /** Distinguishes readings of one file under other options. */
    optionsKey: createHash('sha256').update(optionsText).digest('base64url').slice(0, 16),
    /** `refresh` replaces its fields, so do not copy them. */
    rules,
    tally: createIngestTally(originSecrets),
    onRead,
    refresh,
  };

  /** The catalogue and lists by which lines are recognised and judged. */
  async function loadRules() {
    const files = await readFileVersions(store.writer);
    const robotsFiles = await readRobotsFiles({ db: store.writer, workspaceId });
    const ownSites = await readOwnSites(store.writer, workspaceId);
    return {
      recognise: createRecogniser(bots),
      verifier: createVerifier({ files, bots, ownSites, hostNames, clock }),
      robots: createHistories(robotsFiles),
      proxies: createTrustedProxies(trusted, { lists: createLists(files), clock, originSecrets }),
    };
  }

  /** Reads the lists and the workspace's bots again; with `isForNewBots` only if the bots changed. */
  async function refresh({ isForNewBots = false } = {}): Promise<void> {
    const current = await readWorkspaceBots(store.writer, workspaceId);
    if (isForNewBots && isDeepStrictEqual(current, bots)) return;
    bots = current;
    Object.assign(rules, await loadRules());
  }
}
