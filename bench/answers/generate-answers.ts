import { closeSync, openSync, writeSync } from 'node:fs';
import { makeAnswers } from './corpus.ts';

const engines = ['chatgpt', 'perplexity', 'gemini', 'claude'] as const;
const prompts = 200;
const days = 180;
const dayMs = 86_400_000;
const pieceLength = 1 << 20;

/** Writes answers of the last half year as NDJSON, 2.8 kB a row: without ids, as most exports are. */
export function generateAnswers(path: string, count: number): void {
  const texts = makeAnswers(2000);
  const end = Date.now();
  const file = openSync(path, 'w');
  let piece = '';
  for (let number = 0; number < count; number++) {
    const row = {
      prompt: `Question ${number % prompts}?`,
      engine: engines[number % engines.length],
      // No two at one moment.
      run_at: new Date(end - (number % days) * dayMs - number * 100).toISOString(),
      answer: texts[number % texts.length],
      sources: ['https://www.g2.com/categories/crm'],
    };
    piece += `${JSON.stringify(row)}\n`;
    if (piece.length < pieceLength) continue;
    writeSync(file, piece);
    piece = '';
  }
  writeSync(file, piece);
  closeSync(file);
}
