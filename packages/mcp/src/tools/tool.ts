import type { z } from 'zod';
import type { Endpoint, EndpointName } from '@overheard/contract';
import type { Filter } from './filters.ts';
import type { Row } from './row.ts';

/** One tool: one endpoint, what a model is told about it, and the narrowing that the tool adds. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what a row is, units and ranges, what it does not tell. */
  readonly description: string;
  readonly endpoint: Endpoint<EndpointName>;
  /** The field that says when: what the rows reach back by. */
  readonly moment: string;
  readonly filters: readonly Filter[];
  /** Why the API's own answer may be empty although nothing is wrong. */
  readonly emptyBecause: string;
  /** What the API leaves out of its answer by its limits, given how many rows came; else undefined. */
  leftOut(total: number, given: ReadonlySet<string>): string | undefined;
  /** What the matched rows add up to, in sentences: a model need not page through them to count. */
  summarise(rows: readonly Row[], given: ReadonlySet<string>): readonly string[];
}

/** Binds the rows' type to the endpoint and fills in what a tool need not say. */
export function defineTool<E extends Endpoint<EndpointName>>({
  leftOut = () => undefined,
  summarise = () => [],
  ...definition
}: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly endpoint: E;
  readonly moment: E['fields'][number];
  readonly filters: ReadonlyArray<Filter<E['fields'][number]>>;
  readonly emptyBecause: string;
  leftOut?(total: number, given: ReadonlySet<string>): string | undefined;
  summarise?(rows: ReadonlyArray<z.infer<E['row']>>, given: ReadonlySet<string>): readonly string[];
}): Tool {
  return { ...definition, leftOut, summarise };
}
