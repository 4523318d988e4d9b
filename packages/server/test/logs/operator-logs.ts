/** Logs of operators whose lists were in force on 20 November 2026. */
import { placeSeed } from './crawler-commands.ts';

/** Operators with a complete list and no host names: a bot of each, and its network. */
export const operators = [
  ['GPTBot', 'openai/gptbot', '20.171.207'],
  ['ClaudeBot', 'anthropic/bots', '216.73.216'],
  ['PerplexityBot', 'perplexity/perplexitybot', '18.97.9'],
  ['MistralAI-Index', 'mistral/mistralai-index-ips', '51.15.1'],
  ['DuckAssistBot', 'duckduckgo/duckassistbot', '57.152.72'],
  ['ShapBot', 'parallel/shapbot', '35.84.1'],
] as const;

/** A line of a combined log, at a minute after midnight. */
export function line(address: string, minute: number, agent: string, after = ''): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${address} - - [20/Nov/2026:${hour}:${rest}:00 +0000] "GET /${minute} HTTP/1.1" 200 5 "-" "${agent}/1.0"${after}\n`;
}

/** The workspace acme and the lists of the operators, which were in force on the day. */
export const withLists = placeSeed('lists of operators', async ({ run, write }) => {
  for (const [, id, network] of operators) {
    const prefixes = [{ ipv4Prefix: `${network}.0/24` }];
    const list = JSON.stringify({ creationTime: '2026-11-18T00:00:00Z', prefixes });
    const path = await write('list.json', list);
    await run('ranges', 'import', path, '--list', id, '--fetched-at', '2026-11-21');
  }
});

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A line on a day of November 2026, of a person's browser unless said. */
export function dayLine(
  address: string,
  day: number,
  {
    agent = browser,
    host = '',
    minute = 0,
  }: { agent?: string; host?: string; minute?: number } = {},
): string {
  const text = line(address, minute, 'x').replace('20/Nov', `${String(day).padStart(2, '0')}/Nov`);
  return `${host === '' ? '' : `${host} `}${text.replace('x/1.0', agent)}`;
}

/** Genuine requests of two operators, whose addresses the log has. */
export function direct(day: number, host = ''): string {
  return operators
    .slice(0, 2)
    .map(([bot, , network]) => dayLine(`${network}.5`, day, { agent: `${bot}/1.0`, host }))
    .join('');
}

/** The same on the days around the 20th, so that proof surrounds it. */
export const surrounding = (host = ''): string => direct(19, host) + direct(21, host);
