import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { formatNames } from '../../crawlers/formats/all.ts';
import { checkFollowed, findLogFiles } from '../../crawlers/ingest/log-paths.ts';
import { followFiles } from '../../crawlers/ingest/follow.ts';
import { prepareIngest } from '../../crawlers/ingest/context.ts';
import { ingestFiles } from '../../crawlers/ingest/ingest.ts';
import type { IngestResult } from '../../crawlers/ingest/ingest.ts';
import { parseBound, parseNat64, parseWords } from '../../crawlers/ingest/read-options.ts';
import { pruneAddresses } from '../../crawlers/hits/prune.ts';
import { CommandError } from '../../problems.ts';
import { hasOperatorLists } from '../../crawlers/operators/list-files.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Store } from '../../storage/store.ts';
import { tryOut } from '../../storage/write.ts';
import { plural } from '../../values/plural.ts';
import { collectSooner, letYoungSpaceGrow } from '../terminal/heap.ts';
import { printSummary } from '../words/hits-summary.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { refusalWords } from '../words/refusals/refusal-words.ts';
import { printJson, printWords } from '../terminal/print.ts';
import { systemHostNames } from '../operator-lists/system-host-names.ts';
import { updateIfOld } from '../operator-lists/update-if-old.ts';

interface IngestCommandOptions {
  readonly database: string;
  readonly workspace: string;
  readonly format: string;
  readonly follow?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly host?: string;
  readonly trustForwarded?: readonly string[];
  readonly nat64?: readonly string[];
  readonly updateLists: string;
  readonly keepQuery?: boolean;
  readonly fromStart?: boolean;
  readonly dns: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `overheard hits ingest` */
export function ingestCommand(io: Io): Command {
  return new Command('ingest')
    .summary('read access logs')
    .description(
      'Reads access logs and keeps the requests of AI crawlers and agents, each verified, spoofed or unverified. A log that was read before is read on from where it was left; a line that was read before adds nothing.',
    )
    .argument('<file...>', 'log files, patterns, or - for standard input; .gz, .zst and .br too')
    .option(
      '--format <name>',
      `log format: ${formatNames.join(', ')}, or fields=... for one of your own`,
      'auto',
    )
    .option('--follow', 'go on reading what is added, through rotations, until stopped')
    .option('--since <when>', 'only from then on: a day, a moment, or 7d, 12h ago')
    .option('--until <when>', 'only before then')
    .option('--host <name>', "the site's name, where the log does not have it")
    .option(
      '--trust-forwarded <proxy...>',
      'networks of your proxies, or cloudflare, cloudfront, fastly and so on: behind them the client is taken from the header that they send',
    )
    .addOption(option(settings.nat64))
    .addOption(option(settings.updateLists))
    .option('--keep-query', "keep queries in the hits' paths")
    .option('--from-start', 'read files from their beginning although they were read before')
    .option('--no-dns', 'ask for no host names')
    .option('--dry-run', 'read and judge, write nothing; other writers wait meanwhile')
    .option('--json', 'print the summary as JSON')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action((files: string[], options: IngestCommandOptions) => ingest(io, files, options));
}

async function ingest(
  io: Io,
  files: readonly string[],
  options: IngestCommandOptions,
): Promise<void> {
  const paths = await findLogFiles(files);
  const { follow = false, dryRun: isDryRun = false } = options;
  if (follow && (paths.includes('-') || isDryRun)) {
    throw new CommandError('--follow is for files, and not with --dry-run.', { exitCode: 2 });
  }
  if (follow) {
    for (const path of await checkFollowed(paths)) {
      printWords(io, `${path} is not there yet: it is waited for.`);
    }
  }
  // What is made of a chunk of a log outlives a small one, and is then collected at many times the cost.
  letYoungSpaceGrow();
  collectSooner();
  const result = await inWorkspace(options, (store, workspaceId) =>
    isDryRun
      ? tryOut(store, (tried) => read(io, { store: tried, workspaceId, paths, options }))
      : read(io, { store, workspaceId, paths, options }),
  );
  report(io, { ...result, options });
}

async function read(
  io: Io,
  {
    store,
    workspaceId,
    paths,
    options,
  }: {
    store: Store;
    workspaceId: string;
    paths: readonly string[];
    options: IngestCommandOptions;
  },
): Promise<IngestResult & { hasLists: boolean }> {
  const { follow = false, fromStart = false, trustForwarded = [], nat64 = [] } = options;
  const hostNames = systemHostNames(io, options);
  const progress = createProgress(io);
  const bytesTotal = follow ? undefined : await totalBytes(paths);
  let bytes = 0;
  const context = await prepareIngest(store, {
    workspaceId,
    format: options.format,
    sinceMs: parseBound(options.since, io.clock()),
    sinceWords: options.since,
    untilMs: parseBound(options.until, io.clock()),
    host: options.host,
    trusted: parseWords(trustForwarded),
    nat64: parseNat64(nat64),
    keepsQuery: options.keepQuery ?? false,
    hostNames,
    clock: io.clock,
    signal: io.signal,
    onRead: (added) => {
      bytes += added;
      progress.update(
        () => `Read ${Math.floor(bytes / 1e6)} MB, ${context.tally.lines} lines`,
        bytesTotal === undefined ? undefined : bytes / bytesTotal,
      );
    },
  });
  const prune = () => pruneAddresses(store, workspaceId, { nowMs: io.clock(), hostNames });
  const onRefresh = async () => {
    if (options.updateLists === 'daily') await updateIfOld(store, io, { hostNames });
    await prune();
  };
  const reading = follow
    ? followFiles(paths, context, { fromStart, onRefresh })
    : ingestFiles(paths, context, { stdin: io.stdin, fromStart });
  const result = await reading
    .finally(() => progress.clear())
    .catch((error: unknown) => {
      const { hitsNew } = context.tally;
      if (hitsNew > 0 && options.dryRun !== true) {
        printWords(
          io,
          `${plural(hitsNew, 'new hit')} had been written before. The same command reads on from there.`,
        );
      }
      throw error;
    });
  await prune();
  return { ...result, hasLists: await hasOperatorLists(store.reader) };
}

function report(
  io: Io,
  {
    summary,
    failed,
    resumed,
    waiting,
    hasLists,
    options: { json = false, follow = false, dryRun = false },
  }: IngestResult & { hasLists: boolean; options: IngestCommandOptions },
): void {
  if (json) {
    const unread = failed.map(({ path, why }) => ({ path, why: refusalWords(why) }));
    printJson(io, { ...summary, failed: unread, resumed, waiting });
  } else printSummary(io, summary, { isDryRun: dryRun, hasLists });
  if (resumed.length > 0) {
    printWords(io, `Read on from where they had been left: ${resumed.join(', ')}.`);
  }
  for (const path of waiting) {
    printWords(
      io,
      `The last line of ${path} has no newline yet. It is read with its newline, or after an hour without one.`,
    );
  }
  for (const { path, why } of failed) {
    const isCut = why.code === 'file_damaged';
    printWords(io, `${path} was ${isCut ? 'read in part' : 'not read'}: ${refusalWords(why)}`);
  }
  if (io.signal.aborted && !follow) {
    throw new CommandError(
      dryRun
        ? 'Stopped. Nothing was written.'
        : 'Stopped. What was read is kept; the same command reads on from there.',
    );
  }
  if (failed.length > 0) throw new CommandError(`${failed.length} of the files could not be read.`);
}

/** In bytes; undefined where a pipe is among them. */
async function totalBytes(paths: readonly string[]): Promise<number | undefined> {
  if (paths.includes('-')) return undefined;
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => (found.isFile() || found.isDirectory() ? found.size : undefined),
        () => 0,
      ),
    ),
  );
  let sum = 0;
  for (const size of sizes) {
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}

const examples = `
Examples:
  overheard hits ingest /var/log/nginx/access.log --workspace acme
  overheard hits ingest '/var/log/nginx/access.log*' --workspace acme --host www.acme.com
  overheard hits ingest access.log --workspace acme --follow
  zcat access.log.*.gz | overheard hits ingest - --workspace acme --no-dns
  overheard hits ingest app.log --workspace acme --format fields=time:ts,user_agent:http.ua,method:http.method,target:http.url,status:http.status,address:client.ip
  overheard hits ingest lb.log --workspace acme --trust-forwarded 10.0.0.0/8
  overheard hits ingest edge.log --workspace acme --trust-forwarded cloudflare

Formats are recognised by themselves: what Apache, nginx, Caddy, Traefik, HAProxy, Envoy, IIS and
lighttpd write, and AWS, Cloudflare, Akamai, Fastly, Google Cloud, Azure, Bunny, Vercel and Netlify;
W3C, JSON, CSV with a header, LTSV and logfmt. Load the operators' addresses first: overheard ranges update`;
