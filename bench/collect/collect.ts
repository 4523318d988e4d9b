/** Measures collecting: a run, the evidence it stores, and collecting under faults and kills. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectUnderChaos } from '../../packages/server/test/engines/collect-chaos.ts';
import { table, timed, withDatabases } from '../bench.ts';
import type { Bench, Cells } from '../bench.ts';
import { serveHttp } from '../processes.ts';
import { measureCommand, overheard, runCommand } from '../program.ts';
import type { Took } from '../program.ts';
import { measureEvidence, promptRows } from './evidence.ts';

const workersMax = 6;

export const bench: Bench = {
  title: 'Collecting',
  about: () =>
    'An engine on loopback answers at once, with 2,500 characters and 6 sources. The published program runs from its start to its end; memory is the most that it had resident, of which Node itself is 58 MB.',
  async measure({ folder, scaled, add }) {
    const readings = scaled(1000);
    const runs: Cells[] = [];
    const chaos: Cells[] = [];
    for (const dialect of ['SQLite', 'PostgreSQL'] as const) {
      await withDatabases(dialect, folder, async (create) => {
        const took = await measureCollecting(await create('calm'), { readings, folder });
        const { seconds, cpuSeconds, megabytes } = took;
        runs.push([dialect, readings, seconds, readings / seconds, cpuSeconds, megabytes]);
        const program = overheard();
        const options = { prompts: readings, affordable: readings, workersMax, program };
        const database = await create('chaos');
        const { result, ms } = await timed(() => collectUnderChaos(database, options));
        const { done = 0, unknown = 0, ...others } = result.readings;
        const open = Object.values(others).reduce((all, each) => all + each, 0);
        const money = [result.billedMost, result.spentAndHeldMost];
        const alike = result.runs - result.different;
        chaos.push([dialect, result.kills, done, unknown, open, ...money, alike, ms / 1000]);
      });
    }
    add(
      table(['`collect run`', 'readings', 'seconds', 'a second', 'CPU seconds', 'peak MB'], runs),
    );
    add(
      'Evidence as it is stored, of recorded responses (beside the repository), if each engine has 7,500 readings a month:',
    );
    const evidence = ['engine', 'bytes of a request and its response', 'MB a month'];
    add(table(evidence, await measureEvidence(`file:${join(folder, 'evidence.db')}`)));
    add(
      `${readings} readings under chaos: ${workersMax} processes at a time, of which the oldest is killed with -9 every 250 ms; the engine gives 5 % 429, 3 % 500, 3 % cut and 2 % endless answers. Money is in readings; the cap is ${readings}.`,
    );
    const head =
      'database,kills,done,unknown,not ended,bills of one reading most,spent and held most,runs as without faults,seconds';
    add(table(head.split(','), chaos));
  },
};

/** Sets up a workspace and an engine, and measures one run that asks every prompt. */
async function measureCollecting(
  database: string,
  { readings, folder }: { readings: number; folder: string },
): Promise<Took> {
  const text = 'Acme is a good choice for agencies. '.repeat(70);
  let asked = 0;
  const { url, stop } = await serveHttp((request, response) => {
    const annotations = Array.from({ length: 6 }, (_, place) => ({
      type: 'url_citation',
      url_citation: { url: `https://site${place}.example/page/${asked % 50}`, title: 'A page' },
    }));
    const message = { role: 'assistant', content: `${asked++} ${text}`, annotations };
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.001 };
    const choices = [{ message, finish_reason: 'stop' }];
    const body = JSON.stringify({ id: `gen-${asked}`, model: 'm-1', choices, usage });
    request.resume().on('end', () => response.end(body));
  });
  const run = (line: string, ...more: readonly string[]) =>
    runCommand([...line.split(' '), ...more, '--database', database]);
  const file = join(folder, 'prompts.ndjson');
  writeFileSync(file, promptRows(readings));
  await run('workspace create acme --name Acme --brand Acme');
  await run('import prompts --workspace acme', file);
  await run('prompts collect on --all --workspace acme');
  await run(`engine add own_api --model m --bound 0.01 --per-minute 60000 --base-url ${url}`);
  await run(`budget set --workspace acme --day ${readings} --month ${readings} --sweeps 1`);
  const words = ['collect', 'run', '--now', '--workspace', 'acme', '--database', database];
  return measureCommand(words).finally(stop);
}
