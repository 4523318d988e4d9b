/**
 * Collecting while everything goes wrong: an engine that fails in every way that is documented, and
 * processes that are killed. A calm workspace then asks the same, without a fault.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Ledger, Store } from '../../src/storage/store.ts';
import { runCommand } from '../commands/command-line.ts';
import { spawnCommand } from '../commands/spawn-command.ts';

const readingMicros = 10_000;

interface ChaosOptions {
  readonly prompts: number;
  /** How many readings the cap allows. */
  readonly affordable: number;
  /** Processes at a time. */
  readonly workersMax: number;
  /** The path of `overheard.js`, unless it is that of a run of tests. */
  readonly program?: string;
}

/** What became of it. Money in readings, each of which costs as much as its bound. */
export interface ChaosOutcome {
  readonly kills: number;
  readonly readings: Readonly<Record<string, number>>;
  /** How often the engine billed the question that it billed most often. */
  readonly billedMost: number;
  readonly spent: number;
  readonly held: number;
  /** The most that was ever spent and held. */
  readonly spentAndHeldMost: number;
  /** Runs, and those that differ from the same ones of the calm workspace. */
  readonly runs: number;
  readonly different: number;
}

/** Collects in processes of which the oldest is killed again and again, until all readings have ended. */
export async function collectUnderChaos(url: string, options: ChaosOptions): Promise<ChaosOutcome> {
  const engine = await startFaultyEngine();
  const run = async (line: string, stdin = ''): Promise<string> => {
    const outcome = await runCommand([...line.split(' '), '--database', url], { stdin });
    if (outcome.code !== 0) throw new Error(`${line}: ${outcome.stderr}`);
    return outcome.stdout;
  };
  const add = async (name: string, { prompts, affordable }: ChaosOptions): Promise<void> => {
    await run(`workspace create ${name} --name Acme --brand Acme`);
    await run(`import prompts - --workspace ${name}`, promptRows(prompts));
    await run(`prompts collect on --all --workspace ${name}`);
    await run(
      `engine add ${name}_api --base-url ${engine.url}/${name} --model m --bound 0.01 --per-minute 60000 --timeout 1`,
    );
    const cap = affordable / 100;
    await run(`budget set --workspace ${name} --day ${cap} --month ${cap} --sweeps 1`);
  };
  try {
    await add('acme', options);
    const store = await openStore(url);
    try {
      const ask = 'collect run --now --engine acme_api --workspace acme';
      const budget = await watchBudget(store);
      const kills = await killWhileCollecting(`${ask} --database ${url}`, engine.billed, options);
      // The leases of those that were killed end.
      await setTimeout(2500);
      await run(ask);
      const spentAndHeldMost = await budget.most();
      const status = JSON.parse(await run('collect status --workspace acme --json'));
      const { periods } = JSON.parse(await run('budget show --workspace acme --json'));
      const billedMost = Math.max(...engine.billed.values());
      await add('calm', { ...options, affordable: options.prompts });
      await run('collect run --now --engine calm_api --workspace calm');
      return {
        kills,
        readings: status.engines[0].readings,
        billedMost,
        spent: Math.round(periods[0].spent_usd * 100),
        held: Math.round(periods[0].held_usd * 100),
        spentAndHeldMost,
        ...compare(await readRuns(store, 'acme_api'), await readRuns(store, 'calm_api')),
      };
    } finally {
      await store.close();
    }
  } finally {
    engine.stop();
  }
}

/** Keeps processes running until one of them has nothing left to ask. Returns how many were killed. */
async function killWhileCollecting(
  line: string,
  billed: ReadonlyMap<string, number>,
  { workersMax, program }: ChaosOptions,
): Promise<number> {
  let kills = 0;
  let billedBefore = 0;
  const finished = new AbortController();
  const workers = new Set<{ kill: () => void; ended: Promise<void> }>();
  const start = (): void => {
    const { child, ended: outcome } = spawnCommand(line.split(' '), { program });
    const worker = {
      kill: () => void child.kill('SIGKILL'),
      ended: outcome.then(({ code }) => {
        workers.delete(worker);
        if (code === 0) finished.abort();
      }),
    };
    workers.add(worker);
  };
  while (!finished.signal.aborted) {
    while (workers.size < workersMax) start();
    await setTimeout(250);
    const [oldest] = workers;
    // On a machine that has other work, a process may need seconds before it asks.
    if (oldest === undefined || billed.size < billedBefore + 8) continue;
    billedBefore = billed.size;
    oldest.kill();
    await oldest.ended;
    kills += 1;
  }
  await Promise.all([...workers].map(({ ended }) => ended));
  return kills;
}

/** Looks at the budgets again and again; gives the most readings that one had spent and held. */
async function watchBudget(store: Store): Promise<{ most: () => Promise<number> }> {
  const ledger: Ledger | undefined = await store.ledger();
  const stop = new AbortController();
  let most = 0;
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const rows = await ledger?.db.selectFrom('budgets').selectAll().execute();
      for (const { spent_micros: spent, held_micros: held } of rows ?? []) {
        most = Math.max(most, spent + held);
      }
      await setTimeout(50);
    }
  })();
  // If the test has given up, its database is gone.
  watching.catch(() => stop.abort());
  return {
    most: async () => {
      stop.abort();
      await watching;
      return most / readingMicros;
    },
  };
}

/** By prompt: the answer, its sources and what was detected in it. */
async function readRuns({ reader }: Store, engine: string): Promise<Map<string, object>> {
  const rows = await reader
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join
        .onRef('answers.workspace_id', '=', 'runs.workspace_id')
        .onRef('answers.run_id', '=', 'runs.id'),
    )
    .innerJoin('detections', (join) =>
      join
        .onRef('detections.workspace_id', '=', 'runs.workspace_id')
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .select(['asked', 'answer', 'sources', 'outcome', 'cited', 'position', 'url'])
    .where('runs.engine', '=', engine)
    .execute();
  return new Map(rows.map((row) => [row.asked, { ...row }]));
}

function compare(
  runs: ReadonlyMap<string, object>,
  calm: ReadonlyMap<string, object>,
): { runs: number; different: number } {
  const different = [...runs].filter(([asked, row]) => !isDeepStrictEqual(row, calm.get(asked)));
  return { runs: runs.size, different: different.length };
}

/** An engine that bills each question it begins to answer. Asked by the calm workspace it never fails. */
async function startFaultyEngine(): Promise<{
  url: string;
  billed: ReadonlyMap<string, number>;
  stop: () => void;
}> {
  const billed = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const asked = /prompt \d+/.exec(Buffer.concat(chunks).toString())?.[0] ?? '';
      const isCalm = request.url?.startsWith('/calm') === true;
      const fate = isCalm ? 1 : Math.random();
      if (fate < 0.05) {
        response
          .writeHead(429, { 'retry-after-ms': '50' })
          .end('{"error":{"code":"rate_limit_exceeded"}}');
        return;
      }
      if (!isCalm) billed.set(asked, (billed.get(asked) ?? 0) + 1);
      respond(response, fate - 0.05, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, billed, stop };
}

function respond(response: ServerResponse, fate: number, asked: string): void {
  if (fate < 0.03) {
    response.writeHead(500).end('{"error":{"code":"server_error"}}');
  } else if (fate < 0.06) {
    response.writeHead(200);
    response.write('{"id":"gen-1","choices":[', () => response.destroy());
  } else if (fate < 0.08) {
    response.writeHead(200);
    response.write('{"id":"gen-1","choices":[');
  } else {
    const place = Number(asked.split(' ')[1]);
    const url = `https://acme.com/${place % 7}`;
    const content = place % 2 === 0 ? `Acme suits ${asked}.` : `Globex, then [Acme](${url}).`;
    response.end(
      JSON.stringify({
        id: `gen-${place}`,
        model: 'm-1',
        choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.01 },
      }),
    );
  }
}

function promptRows(count: number): string {
  return Array.from({ length: count }, (_, place) =>
    JSON.stringify({
      text: `prompt ${place}?`,
      language: 'en',
      locale: 'en-US',
      active: true,
      created_at: '2026-11-01T00:00:00Z',
    }),
  ).join('\n');
}
