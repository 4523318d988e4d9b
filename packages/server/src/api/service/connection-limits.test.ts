import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectionLimits } from './connection-limits.ts';

test('the limits in the documentation are the limits of the server', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../../../docs/operations.md', import.meta.url)),
    'utf8',
  );
  const { headersMs, requestMs, uploadMs, stallMs, keepAliveMs } = connectionLimits;
  for (const sentence of [
    `Headers must arrive within ${headersMs / 1000} seconds, a request within ${requestMs / 1000}`,
    `an upload within ${uploadMs / 60_000} minutes`,
    `nothing moves on it for ${stallMs / 1000} seconds`,
    `stays open for ${keepAliveMs / 1000} seconds`,
  ]) {
    expect(page).toContain(sentence);
  }
});
