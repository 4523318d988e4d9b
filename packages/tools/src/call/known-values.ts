import { crawls, scores, shares } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import type { Call } from './arguments.ts';
import type { Client } from '../read/client.ts';
import { Failure } from '../failure.ts';
import { listName } from '../text/names.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolRow } from '../tools/tool-row.ts';

/** Where to find the values of a parameter: the endpoint whose rows have them all, by `by`. */
const sources: Readonly<Record<string, { endpoint: Endpoint; by: string; field: string }>> = {
  engine: { endpoint: shares, by: 'engine', field: 'engine' },
  locale: { endpoint: shares, by: 'locale', field: 'locale' },
  tag: { endpoint: shares, by: 'tag', field: 'tag' },
  bot_name: { endpoint: crawls, by: 'bot', field: 'bot_name' },
  host: { endpoint: crawls, by: 'page', field: 'host' },
};

const valuesMax = 20;

/**
 * Notes for a result without rows: the values that its parameters could have had in these days, or
 * the days that have any. An empty list would read as "nothing", where a name was mistyped.
 */
export async function knownValueNotes(
  tool: Tool,
  { query }: Call,
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<string[]> {
  const { from, to } = query;
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const notes: string[] = [];
  try {
    for (const [name, { endpoint, by, field }] of Object.entries(sources)) {
      if (query[name] === undefined) continue;
      const values = await read(endpoint, { ...days, by }, field);
      if (values.length > 0) notes.push(`Known ${name} in these days: ${listed(values)}.`);
    }
    if (notes.length > 0 || !('from' in tool.endpoint.query.shape)) return notes;
    const isOfHits = tool.endpoint.name === 'crawls' || tool.endpoint.name === 'agent-hits';
    const dates = await (isOfHits ? read(crawls, { by: 'day' }, 'date') : read(scores, {}, 'date'));
    return dates.length === 0 ? [] : [`There is data from ${dates[0]} to ${dates.at(-1)}.`];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return notes;
  }

  async function read(endpoint: Endpoint, wanted: Record<string, string>, field: string) {
    const { rows } = await client.read(endpoint, wanted, signal);
    const values = rows
      .map((row: ToolRow) => row[field])
      .filter((value) => typeof value === 'string');
    return [...new Set(values)].toSorted();
  }
}

function listed(values: readonly string[]): string {
  const more = values.length - valuesMax;
  return `${values.slice(0, valuesMax).map(listName).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
