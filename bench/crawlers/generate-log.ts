import { closeSync, openSync, writeSync } from 'node:fs';

/** User agents of AI crawlers, and addresses that the bench's lists call theirs. */
const crawlers = [
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    '20.171.207.',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    '23.98.142.',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    '216.73.216.',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    '18.97.9.',
  ],
  [
    'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com) AppleWebKit/537.36',
    '110.249.201.',
  ],
] as const;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Writes a combined log of the last hours from a fixed seed: 100 user agents, one line in ten an AI
 * crawler's, about 200 bytes a line, 33 lines a second. Returns its size in bytes.
 */
export function generateLog(path: string, lines: number): number {
  const file = openSync(path, 'w');
  const random = createRandom(7);
  const startMs = Date.now() - Math.ceil(lines / 33) * 1000;
  let bytes = 0;
  let text = '';
  for (let index = 0; index < lines; index++) {
    text += line(startMs + Math.floor(index / 33) * 1000, index, random);
    if (text.length > 1_000_000 || index === lines - 1) {
      bytes += writeSync(file, text);
      text = '';
    }
  }
  closeSync(file);
  return bytes;
}

function line(atMs: number, index: number, random: () => number): string {
  const at = new Date(atMs);
  const time = `${two(at.getUTCDate())}/${months[at.getUTCMonth()] ?? ''}/${at.getUTCFullYear()}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
  const crawler = random() < 0.1 ? crawlers[Math.floor(random() * crawlers.length)] : undefined;
  const agent = crawler?.[0] ?? person(Math.floor(random() * 95));
  const network =
    crawler?.[1] ??
    `${20 + Math.floor(random() * 150)}.${Math.floor(random() * 255)}.${Math.floor(random() * 255)}.`;
  const page = `/articles/${Math.floor(random() * 5000)}/a-page-about-something?page=${index % 7}`;
  return `${network}${Math.floor(random() * 64)} - - [${time}] "GET ${page} HTTP/1.1" 200 ${Math.floor(random() * 90_000)} "-" "${agent}"\n`;
}

function person(index: number): string {
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${60 + index}.0.0.0 Safari/537.36`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Mulberry32: the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
