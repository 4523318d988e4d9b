/** A workspace with answers, and a judge on loopback that is asked how they present its subjects. */
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { requireLedger } from '../../src/collect/ledger/require-ledger.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { findWorkspace } from '../../src/workspaces/workspaces.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { noon, plantedKey } from './collecting.ts';

/** What a judge is asked of one subject. */
export interface AskedOf {
  readonly name: string;
  readonly excerpts: readonly string[];
}

/** Gives the verdict about one subject: a letter for the stance, the purpose and the quote. */
export type Verdict = (asked: AskedOf) => readonly unknown[];

export interface Judging {
  readonly url: string;
  /** The questions as they arrived. */
  readonly asked: readonly string[];
  readonly bodies: readonly object[];
  readonly run: (
    line: string,
    options?: { stdin?: string; clock?: () => number },
  ) => Promise<Outcome>;
  /** Adds the engine again. */
  readonly engineLine: string;
}

/** Says that a subject is one of several options, with the first words that name it. */
export const also: Verdict = ({ name, excerpts }) => [
  'C',
  null,
  excerpts
    .join('\n')
    .split(/[.\n]/)
    .find((sentence) => sentence.includes(name)) ?? name,
];

/** Starts a judge, and a workspace with these answers of one engine, an hour apart before a moment. */
export async function startJudging(
  url: string,
  answers: readonly string[],
  {
    verdict = also,
    sends = reply,
    beforeReply = async () => {},
    engineFlags = '--bound 0.01',
    dayUsd = 1,
    nowMs = noon,
  }: {
    verdict?: Verdict;
    beforeReply?: () => Promise<unknown>;
    sends?: (verdicts: object, question: string) => { status: number; json: object };
    engineFlags?: string;
    dayUsd?: number;
    nowMs?: number;
  } = {},
): Promise<Judging> {
  const asked: string[] = [];
  const bodies: object[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const question = String(body.messages[0].content);
      bodies.push(body);
      asked.push(question);
      void beforeReply().then(() => {
        const { status, json } = sends(judge(question, verdict), question);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const run: Judging['run'] = (line, { stdin = '', clock = () => nowMs } = {}) =>
    runCommand([...line.split(' '), '--database', url], {
      clock,
      stdin,
      environment: { OWN_KEY: plantedKey },
      mayReachPrivate: true,
    });
  await run('workspace create acme --name Acme --brand Acme');
  await run('subject add Globex --workspace acme');
  await run('answers import - --workspace acme', { stdin: answerRows(answers, nowMs) });
  const engineLine = `engine add own_api --base-url http://127.0.0.1:${port}/v1 --model small --key-variable OWN_KEY --per-minute 60000 ${engineFlags}`;
  await run(engineLine);
  await run(`stance set --workspace acme --engine own_api --day ${dayUsd} --month 10`);
  return { url, asked, bodies, run, engineLine };
}

export function answerRows(answers: readonly string[], nowMs: number = noon): string {
  return answers
    .map((answer, place) =>
      JSON.stringify({
        prompt: `Which CRM, for ${Math.floor(place / 3)}?`,
        engine: 'chatgpt',
        run_at: new Date(nowMs - (place + 1) * 3_600_000).toISOString(),
        answer,
      }),
    )
    .join('\n');
}

/**
 * The verdicts of a judge about the JSON at the end of a question. It gives the codes of this question
 * for the letters A to G of a verdict, which are the stances in their order.
 */
export function judge(question: string, verdict: Verdict): object {
  const codes = Array.from(question.matchAll(/^(\d\d): /gm), ([, code]) => Number(code));
  const data: Record<string, AskedOf> = JSON.parse(question.slice(question.indexOf('\n\n{')));
  return Object.fromEntries(
    Object.entries(data).map(([number, each]) => {
      const [letter, ...rest] = verdict(each);
      return [number, [codes['ABCDEFG'.indexOf(String(letter))] ?? letter, ...rest]];
    }),
  );
}

/** Responds as a Chat Completions API. */
export function reply(verdicts: object, question: string): { status: number; json: object } {
  const content = JSON.stringify(verdicts);
  return {
    status: 200,
    json: {
      id: 'gen-1',
      model: 'small-1',
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { ...usageOf(verdicts, question), cost: 0.002 },
    },
  };
}

/** The tokens of a question and its reply, at 4 characters a token. */
export function usageOf(verdicts: object, question: string) {
  return {
    prompt_tokens: Math.ceil(question.length / 4),
    completion_tokens: Math.ceil(JSON.stringify(verdicts).length / 4),
  };
}

/** Answers that name Acme. */
export const named = (count: number): string[] =>
  Array.from({ length: count }, (_, place) => `Some of ${place} teams use Acme.`);

/** Work on the store behind the commands. */
export async function withStore<Result>(
  { url }: Judging,
  work: (store: Store, workspaceId: string) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(url);
  try {
    return await work(store, (await findWorkspace(store.reader, 'acme')).id);
  } finally {
    await store.close();
  }
}

/** What the ledger has of judgements and of the budget of the day, in micros. */
export function ledgerOf(here: Judging) {
  return withStore(here, async (store) => {
    const { db } = await requireLedger(store);
    const judgements = await db.selectFrom('judgements').selectAll().execute();
    const budgets = await db.selectFrom('budgets').selectAll().orderBy('period').execute();
    return {
      states: judgements.map(({ state }) => state).toSorted(),
      cost: judgements.reduce((sum, row) => sum + (row.cost_micros ?? 0), 0),
      budgets: budgets.map(({ period, spent_micros: spent, held_micros: held }) => ({
        period,
        spent,
        held,
      })),
    };
  });
}

export function countRows(here: Judging): Promise<number> {
  return withStore(here, async ({ reader }) => {
    return (await reader.selectFrom('stances').select('run_id').execute()).length;
  });
}
