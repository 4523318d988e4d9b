import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { settings } from '../../../config.ts';
import { formatNames } from '../../../crawlers/formats/file-formats.ts';
import { pruneAddresses } from '../../../crawlers/hits/prune-addresses.ts';
import { judgeUndecided } from '../../../crawlers/hits/verify-hits.ts';
import { followFiles } from '../../../crawlers/ingest/follow-files.ts';
import { prepareIngest } from '../../../crawlers/ingest/prepare-ingest.ts';
import { ingestFiles } from '../../../crawlers/ingest/ingest.ts';
import { checkFollowed, findLogFiles } from '../../filters/log-paths.ts';
import { readOriginSecrets } from '../../filters/read-secrets.ts';
import {
  parseBound,
  parseNat64,
  parseSite,
  parseUntil,
  splitOptionWords,
} from '../../filters/parse-log-options.ts';
import { readKnownFiles } from '../../../crawlers/operators/operator-file.ts';
import { hasOperatorLists } from '../../../reports/operator-lists.ts';
import { updateRanges } from '../../../crawlers/operators/update-ranges.ts';
import { readAddressVerdicts } from '../../../reports/hits/address-verdicts.ts';
import { countLogBots } from '../../../reports/hits/log-bots.ts';
import type { HostNames } from '../../../crawlers/verify/host-names.ts';
import type { Store } from '../../../storage/store.ts';
import { tryOut } from '../../../storage/write.ts';
import { plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand, words } from '../../define/define-command.ts';
import type { OptionValues, WorkspaceContext } from '../../define/define-command.ts';
import { flag, list, text } from '../../define/options.ts';
import { noDns, systemHostNames } from '../../operator-lists/system-host-names.ts';
import { areListsDue } from '../../operator-lists/daily-lists.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { botTable, ingestLines } from './ingest-lines.ts';
import { refusalWords } from '../../../refusals.ts';
import { UsageError } from '../../terminal/command-error.ts';

const { nat64, originSecret, originSecretFile, updateLists } = settings;

const options = {
  format: {
    value: '<name>',
    summary: `log format: ${formatNames.join(', ')}, or fields=... for one of your own`,
    default: 'auto',
  },
  follow: flag('go on reading what is added, through rotations, until stopped'),
  since: text('<when>', 'only from then on: a day, a moment, or 7d, 12h ago'),
  until: text('<when>', 'only before then; a day is included whole'),
  host: text('<name>', "the site's name, if the log does not have it"),
  trustForwarded: list(
    '<proxy...>',
    'networks of your proxies, or cloudflare, cloudfront, fastly and so on: behind them the client is taken from the header that they send, if the network is your own or the log has your secret',
  ),
  originSecret,
  originSecretFile,
  nat64,
  updateLists,
  keepQuery: flag("keep queries in the hits' paths"),
  fromStart: flag('read files from their beginning although they were read before'),
  noDns,
  dryRun: flag('read and judge, write nothing; other writers wait meanwhile'),
};

const help = `
Formats are recognised by themselves: what Apache, nginx, Caddy, Traefik, HAProxy, Envoy, IIS and
lighttpd write, and AWS, Cloudflare, Akamai, Fastly, Google Cloud, Azure, Bunny, Vercel and Netlify;
W3C, JSON, CSV with a header, LTSV and logfmt. Load the operators' addresses first: overheard ranges update

Strangers share the networks of Cloudflare, CloudFront, Fastly and others, so the header of such a
network counts only in a line with your secret in X-Origin-Auth. Its value is in
OVERHEARD_ORIGIN_SECRET or in the file of --origin-secret-file.
`;

export const hitsIngestCommand = defineWorkspaceCommand({
  name: 'ingest',
  summary: 'read access logs',
  description:
    'Reads access logs and keeps the requests of AI crawlers and agents, each verified, spoofed or unverified. A log that was read before is read on from where it was left; a line that was read before adds nothing.',
  arguments: { file: words('log files, patterns, or - for standard input; .gz, .zst and .br too') },
  options,
  json: '{lines, hits_new, hits_known, other_traffic, skipped, referrals_new, bots:[...], addresses:{verified, refuted, shared, networks}, skips:[...], proxies:[...], failed:[{path, why}], resumed, waiting}',
  help,
  examples: [
    'overheard hits ingest /var/log/nginx/access.log --workspace acme',
    "overheard hits ingest '/var/log/nginx/access.log*' --workspace acme --host www.acme.com",
    'overheard hits ingest access.log --workspace acme --follow',
    'zcat access.log.*.gz | overheard hits ingest - --workspace acme --no-dns',
    'overheard hits ingest app.log --workspace acme --format fields=time:ts,user_agent:http.ua,method:http.method,target:http.url,status:http.status,address:client.ip',
    'overheard hits ingest lb.log --workspace acme --trust-forwarded 10.0.0.0/8',
    'overheard hits ingest edge.log --workspace acme --trust-forwarded cloudflare --origin-secret-file origin.secret',
  ],
  run: async (context, { file, ...values }) => {
    const { io, store } = context;
    const { follow, dryRun: isDryRun } = values;
    const paths = await findLogFiles(file);
    if (follow && (paths.includes('-') || isDryRun)) {
      throw new UsageError('--follow is for files, and not with --dry-run.');
    }
    for (const path of follow ? await checkFollowed(paths) : []) {
      printWords(io, `Waiting for ${path}, which does not exist yet.`);
    }
    collectSooner();
    const result = isDryRun
      ? await tryOut(store, (tried) => read({ ...context, store: tried }, paths, values))
      : await read(context, paths, values);
    const hasLists = await hasOperatorLists(store.reader);
    const { summary, resumed, waiting } = result;
    const failed = result.failed.map(({ path, why }) => ({
      path,
      isCut: why.code === 'file_damaged',
      why: refusalWords(why),
    }));
    return {
      json: {
        ...summary,
        failed: failed.map(({ path, why }) => ({ path, why })),
        resumed,
        waiting,
      },
      table: botTable(summary),
      words: [
        ...ingestLines(summary, { isDryRun, hasLists }),
        resumed.length > 0 && `Read on from where they had been left: ${resumed.join(', ')}.`,
        ...waiting.map(
          (path) =>
            `The last line of ${path} has no newline yet. It is read with its newline, or after an hour without one.`,
        ),
        ...failed.map(
          ({ path, isCut, why }) => `${path} was ${isCut ? 'read in part' : 'not read'}: ${why}`,
        ),
      ],
      failure: failureWords(failed.length, { isStopped: io.signal.aborted && !follow, isDryRun }),
    };
  },
});

/**
 * Makes V8 collect garbage sooner: by default a million lines take 100 MB more memory, and at most 9 %
 * less CPU time. The young heap keeps the size that it had once the program was loaded.
 */
function collectSooner(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}

async function read(
  { io, store, workspaceId, progress }: Omit<WorkspaceContext, 'store'> & { store: Store },
  paths: readonly string[],
  values: OptionValues<typeof options>,
) {
  const { follow, fromStart: isFromStart } = values;
  const nowMs = io.clock();
  const hostNames = systemHostNames(io, values);
  const bytesTotal = follow ? undefined : await totalBytes(paths);
  let bytes = 0;
  const context = await prepareIngest(store, {
    format: values.format,
    sinceMs: parseBound({ since: values.since }, nowMs),
    sinceWords: values.since,
    untilMs: parseUntil(values.until, nowMs),
    host: parseSite(values.host),
    trusted: splitOptionWords(values.trustForwarded),
    nat64: parseNat64(values.nat64),
    keepsQuery: values.keepQuery,
    originSecrets: await readOriginSecrets(values, io),
    workspaceId,
    hostNames,
    clock: io.clock,
    signal: io.signal,
    onRead: (byteCount) => {
      bytes += byteCount;
      progress.update(
        () =>
          `Read ${Math.floor(bytes / 1e6)} MB, ${plural(context.tally.summarise().lines, 'line')}`,
        bytesTotal === undefined ? undefined : bytes / bytesTotal,
      );
    },
  });
  const prune = () => pruneAddresses(store, workspaceId, { nowMs: io.clock(), hostNames });
  const onRefresh = async () => {
    if (values.updateLists === 'daily') await updateIfDue(store, io, { hostNames });
    await prune();
  };
  const reading = follow
    ? followFiles(paths, context, { isFromStart, onRefresh })
    : ingestFiles(paths, context, { stdin: io.stdin, isFromStart });
  const result = await reading.catch((error: unknown) => {
    const { hitsNew } = context.tally.summarise();
    if (hitsNew > 0 && !values.dryRun) {
      progress.clear();
      printWords(
        io,
        `${plural(hitsNew, 'new hit')} had been written before. The same command reads on from there.`,
      );
    }
    throw error;
  });
  await prune();
  const { period, skips, proxies, ...counts } = result.summary;
  // Count what the database holds, which may differ from what was read.
  const bots =
    period === undefined ? [] : await countLogBots({ db: store.writer, workspaceId }, period);
  const addresses =
    period &&
    (await readAddressVerdicts(
      { db: store.writer, workspaceId },
      { from: period.from.slice(0, 10), to: period.to.slice(0, 10) },
    ));
  return { ...result, summary: { ...counts, bots, skips, proxies, addresses } };
}

function failureWords(
  failed: number,
  { isStopped, isDryRun }: { isStopped: boolean; isDryRun: boolean },
): string | undefined {
  if (isStopped) {
    return isDryRun
      ? 'Stopped. Nothing was written.'
      : 'Stopped. The lines read so far are kept; run the same command again to read on.';
  }
  return failed === 0 ? undefined : `${plural(failed, 'file')} could not be read.`;
}

/** The total size in bytes; undefined if one of the inputs is a pipe. */
async function totalBytes(paths: readonly string[]): Promise<number | undefined> {
  if (paths.includes('-')) return undefined;
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (stats) => (stats.isFile() || stats.isDirectory() ? stats.size : undefined),
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

/** Fetches operators' lists that are older than a day, and judges the hits that wait for them. */
async function updateIfDue(
  store: Store,
  { fetch, clock, signal }: Io,
  { hostNames }: { hostNames: HostNames | undefined },
): Promise<void> {
  if (!(await areListsDue(store, clock()))) return;
  const files = await readKnownFiles(store.writer);
  await updateRanges(store, { files, fetch, clock, signal, words: refusalWords });
  await judgeUndecided(store, { hostNames, clock, signal });
}
