import { median } from '../bench.ts';
import { createServer } from 'node:http';
import { initialize, modernMeta } from '../../packages/mcp/test/line-host.ts';
import { startProgram, threadMilliseconds } from './program.ts';

/** Milliseconds from the start of a process, the middle of many. */
export interface StartTimes {
  readonly firstAnswerMs: number;
  readonly toolsListMs: number;
  /** Processor time of the first answer's thread, NaN if the system does not say. */
  readonly cpuMs: number;
}

export type Era = 'with handshake' | 'without handshake';

/** What is started, and with which environment. */
export interface Startable {
  readonly file: string;
  readonly env: Record<string, string>;
}

/** Starts several programs in turn, so that whatever else the machine does meets all of them alike. */
export async function measureStarts(
  programs: readonly Startable[],
  era: Era,
  rounds: number,
): Promise<StartTimes[]> {
  const samples = programs.map((): { first: number[]; list: number[]; cpu: number[] } => ({
    first: [],
    list: [],
    cpu: [],
  }));
  const modern = { _meta: modernMeta };
  for (let round = 0; round < rounds; round++) {
    for (const [index, { file, env }] of programs.entries()) {
      const startedMs = performance.now();
      const program = startProgram(file, env);
      if (era === 'with handshake') await program.request('initialize', initialize);
      else await program.request('server/discover', modern);
      samples[index]?.first.push(performance.now() - startedMs);
      samples[index]?.cpu.push(threadMilliseconds(program.pid));
      await program.request('tools/list', era === 'with handshake' ? {} : modern);
      samples[index]?.list.push(performance.now() - startedMs);
      await program.end();
    }
  }
  return samples.map(({ first, list, cpu }) => ({
    firstAnswerMs: median(first),
    toolsListMs: median(list),
    cpuMs: median(cpu),
  }));
}

/** How long what was cancelled, or a host that is gone, goes on. */
export async function measureEnds(
  file: string,
  env: Record<string, string>,
  rounds: number,
): Promise<{ abortMs: number; exitMs: number }> {
  const aborts: number[] = [];
  const exits: number[] = [];
  let onRequest = (): void => {};
  let onAbort = (): void => {};
  const silent = createServer((request) => {
    onRequest();
    request.socket.once('close', () => onAbort());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  for (let round = 0; round < rounds; round++) {
    const program = startProgram(file, { ...env, OVERHEARD_BASE_URL: `http://127.0.0.1:${port}` });
    await program.request('initialize', initialize);
    const arrived = new Promise<void>((resolve) => (onRequest = resolve));
    void program.request('tools/call', { name: 'get_scores', arguments: {} });
    await arrived;
    const aborted = new Promise<void>((resolve) => (onAbort = resolve));
    const startedMs = performance.now();
    program.notify('notifications/cancelled', { requestId: 2 });
    await aborted;
    aborts.push(performance.now() - startedMs);
    exits.push(await program.end());
  }
  silent.closeAllConnections();
  silent.close();
  return { abortMs: median(aborts), exitMs: median(exits) };
}

/** Calls in a second with some under way at once. */
export async function measureRate(
  file: string,
  {
    env,
    tool,
    calls,
    concurrency,
  }: { env: Record<string, string>; tool: string; calls: number; concurrency: number },
): Promise<{ perSecond: number; p50Ms: number }> {
  const program = startProgram(file, env);
  await program.request('initialize', initialize);
  const call = () => program.request('tools/call', { name: tool, arguments: {} });
  await call();
  const times: number[] = [];
  let left = calls;
  const startedMs = performance.now();
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const callMs = performance.now();
      await call();
      times.push(performance.now() - callMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - startedMs) / 1000;
  await program.end();
  return { perSecond: calls / seconds, p50Ms: median(times) };
}
