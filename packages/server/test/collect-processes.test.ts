import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/storage/open/open-store.ts';
import { runCommand, spawnCommand } from './command-line.ts';
import { eachDatabase } from './stores.ts';

const prompts = 120;
/** The cap allows so many readings at a cent each. */
const affordable = 100;
const workersMax = 4;

eachDatabase('collecting in processes that are killed', (create) => {
  test(
    'never bills a reading twice and never passes the cap, and each reading ends',
    { timeout: 90_000 },
    async () => {
      const url = await create();
      const { baseUrl, billed } = await startServer();
      const at = ['--database', url];
      const run = (line: string, stdin = '') =>
        runCommand([...line.split(' '), ...at], { stdin, mayReachPrivate: true });
      await run('workspace create acme --name Acme --brand Acme');
      await run('import prompts - --workspace acme', promptRows());
      await run('prompts collect on --all --workspace acme');
      await run(
        `engine add own_api --base-url ${baseUrl} --model m --bound 0.01 --per-minute 60000 --timeout 1`,
      );
      await run(`budget set --workspace acme --day ${affordable / 100} --month 10 --sweeps 1`);
      const held = await watchBudget(url);
      const args = ['collect', 'run', '--now', '--workspace', 'acme', ...at];
      const kills = await killWhileCollecting(args, () => billed.size);
      expect(kills).toBeGreaterThan(2);
      // The leases of those that were killed end.
      await setTimeout(2500);
      expect((await run('collect run --now --workspace acme')).code).toBe(0);

      expect(Math.max(...billed.values())).toBe(1);
      const { engines } = JSON.parse((await run('collect status --workspace acme --json')).stdout);
      const { done, unknown, planned, sent, failed } = engines[0].readings;
      expect({ sent, failed, all: done + unknown + planned }).toEqual({
        sent: 0,
        failed: 0,
        all: prompts,
      });
      expect(done + unknown).toBe(affordable);
      const { periods } = JSON.parse((await run('budget show --workspace acme --json')).stdout);
      expect(periods[0]).toMatchObject({ spent_usd: affordable / 100, held_usd: 0 });
      expect(await held()).toBeLessThanOrEqual(affordable * 10_000);
      const runs = await run('export detections --workspace acme');
      expect(runs.stdout.trim().split('\n')).toHaveLength(done);
    },
  );
});

/** Runs the command in several processes at once and kills the oldest of them again and again. Returns how often. */
async function killWhileCollecting(
  args: readonly string[],
  countBilled: () => number,
): Promise<number> {
  let kills = 0;
  let billedBefore = 0;
  const finished = new AbortController();
  const workers = new Set<{ kill: () => void; ended: Promise<void> }>();
  const start = (): void => {
    const { child, ended: outcome } = spawnCommand(args);
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
    if (oldest === undefined || countBilled() < billedBefore + 8) continue;
    billedBefore = countBilled();
    oldest.kill();
    await oldest.ended;
    kills += 1;
  }
  await Promise.all([...workers].map(({ ended }) => ended));
  return kills;
}

/** Looks at the day's budget again and again; returns the most that was spent and held. */
async function watchBudget(url: string): Promise<() => Promise<number>> {
  const store = await openStore(url);
  const ledger = await store.ledger();
  let most = 0;
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const rows = await ledger?.db.selectFrom('budgets').selectAll().execute();
      for (const { spent_micros: spent, held_micros: held } of rows ?? []) {
        most = Math.max(most, spent + held);
      }
      await setTimeout(50);
    }
  })();
  return async () => {
    stop.abort();
    await watching;
    await store.close();
    return most;
  };
}

/** An engine that bills each question it begins to answer, and fails in every way that is documented. */
async function startServer(): Promise<{ baseUrl: string; billed: Map<string, number> }> {
  const billed = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const asked = /prompt \d+/.exec(Buffer.concat(chunks).toString())?.[0] ?? '';
      const fate = Math.random();
      if (fate < 0.05) {
        response
          .writeHead(429, { 'retry-after-ms': '50' })
          .end('{"error":{"code":"rate_limit_exceeded"}}');
        return;
      }
      billed.set(asked, (billed.get(asked) ?? 0) + 1);
      respond(response, fate - 0.05);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, billed };
}

function respond(response: ServerResponse, fate: number): void {
  if (fate < 0.03) {
    response.writeHead(500).end('{"error":{"code":"server_error"}}');
  } else if (fate < 0.06) {
    response.writeHead(200);
    response.write('{"id":"gen-1","choices":[', () => response.destroy());
  } else if (fate < 0.08) {
    response.writeHead(200);
    response.write('{"id":"gen-1","choices":[');
  } else {
    response.end(
      JSON.stringify({
        id: 'gen-1',
        model: 'm-1',
        choices: [{ message: { role: 'assistant', content: 'Acme.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.01 },
      }),
    );
  }
}

function promptRows(): string {
  return Array.from({ length: prompts }, (_, place) =>
    JSON.stringify({
      text: `prompt ${place}?`,
      language: 'en',
      locale: 'en-US',
      active: true,
      created_at: '2026-11-01T00:00:00Z',
    }),
  ).join('\n');
}
