import type { z } from 'zod';
import { limits } from '@overheard/contract';
import type { Lookup } from './lookup.ts';
import type { Endpoint, EndpointName } from '@overheard/contract';
import type { Filter } from './filters.ts';
import type { ToolRow } from './tool-row.ts';

/** One tool: one endpoint, its description for a model, and the filters that the tool adds. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /**
   * The text for a model: when to use the tool, what a row is, units and ranges, and what it does
   * not show.
   */
  readonly description: string;
  readonly endpoint: Endpoint<EndpointName>;
  /** The field with a row's time, if it has one. */
  readonly moment?: string | undefined;
  readonly filters: readonly Filter[];
  /** Why the API's own response may be empty although nothing is wrong. */
  readonly emptyBecause: string;
  /**
   * A sentence about the limit that may have cut rows, and where to get them; undefined if nothing
   * was cut.
   */
  cutBy(rows: readonly ToolRow[], argumentNames: ReadonlySet<string>): string | undefined;
  /** The name to add beside an id in each row. */
  readonly beside?: Lookup | undefined;
  /** Rows of another endpoint by which the rows are grouped, with the field that names the group. */
  readonly grouping?: Grouping | undefined;
  /** Leave out columns of nulls and these fields, because a row of figures costs a model many tokens. */
  readonly lean?: { readonly without: readonly string[] } | undefined;
  /** Shapes a row by hand, into one or more, if nested or long texts would cost too many tokens. */
  readonly shape?:
    | ((row: ToolRow, argumentNames: ReadonlySet<string>) => readonly ToolRow[])
    | undefined;
  /** Whether a row says that there is nothing. */
  isEmpty?(row: ToolRow): boolean;
  /** Whether a call gets its texts whole. */
  isWhole?(argumentNames: ReadonlySet<string>): boolean;
  /** Puts the rows into the order in which a model needs them, given the argument `by`. */
  readonly order?:
    | ((rows: readonly ToolRow[], by: string | undefined) => readonly ToolRow[])
    | undefined;
  /** What a result says of the API's next page, if its rows are no part of one list. */
  readonly pageNote?: string | undefined;
  /** What a further page of the API without rows means. */
  readonly emptyPageNote?: string | undefined;
  /** Begin a page of the API again if its data has changed, because a row that moved would be missing. */
  readonly beginsAgain?: true | undefined;
  /** Query parameters that are always sent. */
  readonly always?: Readonly<Record<string, string>> | undefined;
  /** Answers of apps alone, or of APIs if no app has any, unless the call says which engines. */
  readonly isOfOneSurface?: true | undefined;
  /** Read all pages of the API for each call, because their rows are short. */
  readonly readsAllPages?: true | undefined;
  /** Makes shorter rows of the matched ones, for `as: "runs"`. */
  readonly asRuns?:
    | ((rows: readonly ToolRow[], names: ReadonlyMap<string, string>) => readonly ToolRow[])
    | undefined;
  /**
   * Sums over the matched rows, in sentences, so that a model need not page through them to count.
   */
  summarise(
    rows: readonly ToolRow[],
    argumentNames: ReadonlySet<string>,
    names: ReadonlyMap<string, string>,
  ): readonly string[];
}

/** Groups the rows of a tool by the rows of another endpoint. */
export interface Grouping {
  readonly endpoint: Endpoint<EndpointName>;
  /** The field that each row gets. */
  readonly field: string;
  group(
    rows: readonly ToolRow[],
    others: readonly ToolRow[],
  ): { readonly rows: readonly ToolRow[]; readonly notes: readonly string[] };
}

/** A `cutBy` for reports, which the API gives in one order up to a limit. */
export function cutAtLimit(first: string): (rows: readonly unknown[]) => string | undefined {
  return (rows) =>
    rows.length < limits.reportRowsMax
      ? undefined
      : `the API gives ${limits.reportRowsMax} rows at most, ${first}.`;
}

/** Binds the rows' type to the endpoint and fills in the optional fields of a tool. */
export function defineTool<E extends Endpoint<EndpointName>>({
  cutBy = () => undefined,
  summarise = () => [],
  ...definition
}: Omit<Tool, 'endpoint' | 'moment' | 'filters' | 'lean' | 'cutBy' | 'isEmpty' | 'summarise'> & {
  readonly endpoint: E;
  readonly moment?: E['fields'][number];
  readonly filters: ReadonlyArray<Filter<E['fields'][number]>>;
  readonly lean?: { readonly without: ReadonlyArray<E['fields'][number]> };
  cutBy?(
    rows: ReadonlyArray<z.infer<E['row']>>,
    argumentNames: ReadonlySet<string>,
  ): string | undefined;
  isEmpty?(row: z.infer<E['row']>): boolean;
  summarise?(
    rows: ReadonlyArray<z.infer<E['row']>>,
    argumentNames: ReadonlySet<string>,
    names: ReadonlyMap<string, string>,
  ): readonly string[];
}): Tool {
  return { ...definition, cutBy, summarise };
}
