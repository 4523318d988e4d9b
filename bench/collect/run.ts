/**
 * Measures collecting: `collect run` against an engine that answers at once, what evidence of
 * recorded responses takes, and collecting under faults and kills.
 *
 *   node bench/collect/run.ts [--readings 1000] [--write]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectUnderChaos } from '../../packages/server/test/collect-chaos.ts';
import { execute, startPostgres } from '../../packages/server/test/postgres.ts';
import { runBench, table } from '../bench.ts';
import { measureCollecting } from './collecting.ts';
import { measureEvidence } from './evidence.ts';

const { values: options } = parseArgs({
  options: {
    readings: { type: 'string', default: '1000' },
    write: { type: 'boolean', default: false },
  },
});
const readings = Number(options.readings);
const workersMax = 6;
const about =
  'An engine on loopback answers at once, with 2,500 characters and 6 sources. The published program runs from its start to its end; memory is the most that it had resident, of which Node itself is 58 MB.';

await runBench({ section: 'collecting', title: 'Collecting', about }, async ({ folder, add }) => {
  const runs: Array<Array<string | number>> = [];
  const chaos: Array<Array<string | number>> = [];
  for (const title of ['SQLite', 'PostgreSQL'] as const) {
    const server = title === 'SQLite' ? undefined : await startPostgres();
    const database = (name: string): string =>
      server?.url.replace(/postgres$/, name) ?? `file:${join(folder, `${name}.db`)}`;
    try {
      if (server !== undefined) await execute(server.url, 'create database calm');
      const { seconds, cpuSeconds, megabytes } = await measureCollecting(
        database('calm'),
        readings,
      );
      runs.push([title, readings, seconds, readings / seconds, cpuSeconds, megabytes]);
      const started = performance.now();
      const outcome = await collectUnderChaos(database('postgres'), {
        prompts: readings,
        affordable: readings,
        workersMax,
      });
      const { done = 0, unknown = 0, ...others } = outcome.readings;
      const open = Object.values(others).reduce((all, each) => all + each, 0);
      chaos.push([
        title,
        outcome.kills,
        done,
        unknown,
        open,
        outcome.billedMost,
        outcome.spentAndHeldMost,
        outcome.runs - outcome.different,
        (performance.now() - started) / 1000,
      ]);
    } finally {
      await server?.stop();
    }
  }
  add(table(['`collect run`', 'readings', 'seconds', 'a second', 'CPU seconds', 'peak MB'], runs));
  add(
    'Evidence as it is stored, of recorded responses (beside the repository), if each engine has 7,500 readings a month:',
  );
  add(
    table(
      ['engine', 'bytes of a request and its response', 'MB a month'],
      await measureEvidence(`file:${join(folder, 'evidence.db')}`),
    ),
  );
  add(
    `${readings} readings under chaos: ${workersMax} processes at a time, of which the oldest is killed with -9 every 250 ms; the engine gives 5 % 429, 3 % 500, 3 % cut and 2 % endless answers. Money is in readings; the cap is ${readings}.`,
  );
  add(
    table(
      [
        'database',
        'kills',
        'done',
        'unknown',
        'not ended',
        'bills of one reading, most',
        'spent and held, most',
        'runs as without faults',
        'seconds',
      ],
      chaos,
    ),
  );
});
