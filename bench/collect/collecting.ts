/** The published `collect run` against an engine that answers at once. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCommand, runCommand } from '../measured-command.ts';
import type { Took } from '../measured-command.ts';

const text = 'Acme is a good choice for agencies. '.repeat(70);
const pages = Array.from({ length: 6 }, (_, place) => `https://site${place}.example/page`);

/** Sets a workspace up whose engine answers at once, and measures one run that asks every prompt. */
export async function measureCollecting(database: string, readings: number): Promise<Took> {
  const { url, stop } = await startEngine((asked) =>
    JSON.stringify({
      id: `gen-${asked}`,
      model: 'm-1',
      choices: [
        {
          message: {
            role: 'assistant',
            content: `${asked} ${text}`,
            annotations: pages.map((page) => ({
              type: 'url_citation',
              url_citation: { url: `${page}/${asked % 50}`, title: 'A page' },
            })),
          },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.001 },
    }),
  );
  const file = join(tmpdir(), `overheard-bench-prompts-${process.pid}.ndjson`);
  const at = ['--database', database];
  const acme = ['--workspace', 'acme', ...at];
  try {
    writeFileSync(file, promptRows(readings));
    await runCommand(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme', ...at]);
    await runCommand(['import', 'prompts', file, ...acme]);
    await runCommand(['prompts', 'collect', 'on', '--all', ...acme]);
    const limits = ['--bound', '0.01', '--per-minute', '60000'];
    const address = ['--base-url', url, '--model', 'm'];
    await runCommand(['engine', 'add', 'own_api', ...address, ...limits, ...at]);
    const caps = ['--day', `${readings}`, '--month', `${readings}`, '--sweeps', '1'];
    await runCommand(['budget', 'set', ...caps, ...acme]);
    return await measureCommand(['collect', 'run', '--now', ...acme]);
  } finally {
    await stop();
  }
}

/** An engine on loopback; `respond` gets the number of the request, and its path. */
export async function startEngine(
  respond: (asked: number, path: string) => string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(respond(asked++, request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

export function promptRows(count: number): string {
  return Array.from({ length: count }, (_, place) =>
    JSON.stringify({
      text: `What is the best CRM for a small agency with ${place} people?`,
      language: 'en',
      locale: 'en-US',
      active: true,
      created_at: '2026-11-01T00:00:00Z',
    }),
  ).join('\n');
}
