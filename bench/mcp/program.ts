import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A tool server as a host has it: started, spoken to in lines, ended. */
export interface Program {
  readonly pid: number;
  request(method: string, params?: Record<string, unknown>): Promise<unknown>;
  notify(method: string, params: Record<string, unknown>): void;
  /** Ends the input; resolves with the milliseconds until the process was gone. */
  end(): Promise<number>;
}

/** Starts a file with this Node. */
export function startProgram(file: string, env: Record<string, string>): Program {
  const child = spawn(process.execPath, [file], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer: { id: number; result: unknown } = JSON.parse(line);
    waiting.get(answer.id)?.(answer.result);
  });
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);
  let lastId = 0;
  return {
    pid: child.pid ?? 0,
    request(method, params = {}) {
      const id = ++lastId;
      const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve));
      send({ jsonrpc: '2.0', id, method, params });
      return answer;
    },
    notify: (method, params) => void send({ jsonrpc: '2.0', method, params }),
    end() {
      const startedMs = performance.now();
      const gone = new Promise<number>((resolve) => {
        child.once('exit', () => resolve(performance.now() - startedMs));
      });
      child.stdin.end();
      return gone;
    },
  };
}

/** Resident memory of a process in megabytes, where the system says it. */
export function residentMegabytes(pid: number): number | undefined {
  return statusMegabytes(pid, /VmRSS:\s+(\d+)/);
}

/** The most that it had so far. */
export function peakMegabytes(pid: number): number | undefined {
  return statusMegabytes(pid, /VmHWM:\s+(\d+)/);
}

function statusMegabytes(pid: number, line: RegExp): number | undefined {
  try {
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Processor time of a process's first thread, where the system says it. */
export function threadMilliseconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}
