import { isWellFormedKey, scores } from '@overheard/contract';
import { Failure, failureText, withoutKeys } from '@overheard/tools';
import type { Client } from '@overheard/tools';
import type { Config } from '../config.ts';
import type { Timing } from '../client/retry.ts';
import { version } from '../version.ts';

/** Reads one endpoint as a host would, and reports the result to the operator. */
export async function check({
  config,
  client,
  timing,
  signal,
}: {
  config: Config;
  client: Client;
  timing: Timing;
  signal: AbortSignal;
}) {
  const lines = [
    `overheard-mcp ${version} on Node ${process.versions.node}`,
    ...settingLines(config),
  ];
  const start = timing.now();
  try {
    const { rows, quota } = await client.read(scores, {}, signal);
    const newest = rows[0]?.['date'];
    const noun = rows.length === 1 ? 'score' : 'scores';
    const data =
      rows.length === 0 ? 'no scores yet' : `${rows.length} ${noun}, newest ${String(newest)}`;
    lines.push(`read       ${scores.path}: ${data}, in ${Math.round(timing.now() - start)} ms`);
    lines.push(
      `quota      ${quota === undefined ? 'none' : `${quota.left} left, more in ${quota.resets_in_s} s`}`,
    );
    return { text: `${lines.join('\n')}\nEverything works.\n`, isGood: true };
  } catch (error) {
    if (signal.aborted) return { text: `${lines.join('\n')}\n\nStopped.\n`, isGood: false };
    if (!(error instanceof Failure)) throw error;
    return { text: `${lines.join('\n')}\n\n${failureText(error)}\n`, isGood: false };
  }
}

function settingLines({ apiKey, baseUrl }: Config): string[] {
  const address = baseUrl === undefined ? 'no usable address' : withoutKeys(baseUrl.href);
  const warning = isOpen(baseUrl) ? ' (not encrypted: everybody on the way can read the key)' : '';
  return [`server     ${address}${warning}`, `key        ${keyState(apiKey)}`];
}

/** Shows the last four characters of a well-formed key, as `overheard key list` does. */
function keyState(apiKey: string | undefined): string {
  if (apiKey === undefined) return 'not set';
  return isWellFormedKey(apiKey) ? `set, ends in ...${apiKey.slice(-4)}` : 'set, but mistyped';
}

/** Whether the key would travel over a network in clear text. */
function isOpen(url: URL | undefined): boolean {
  if (url === undefined || url.protocol === 'https:') return false;
  return !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}
