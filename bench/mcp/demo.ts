import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { keyPattern } from '../../packages/contract/src/index.ts';

const overheard = fileURLToPath(new URL('../../packages/server/bin/overheard.js', import.meta.url));

/** The demo without a quota, on a free port, and the variables that lead a tool server to it. */
export async function startDemo(): Promise<{
  env: Record<string, string>;
  stop(): Promise<void>;
}> {
  const child = spawn(process.execPath, [overheard, 'demo', '--port', '0', '--quota', '0']);
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stderr.on('data', (part) => {
      text += String(part);
      if (text.includes('The key: ')) resolve(text);
    });
  });
  return {
    env: {
      OVERHEARD_API_KEY: keyPattern.exec(said)?.[0] ?? '',
      OVERHEARD_BASE_URL: /http:\/\/[\d.]+:\d+/.exec(said)?.[0] ?? '',
    },
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
