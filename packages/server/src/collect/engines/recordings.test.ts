import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chatgptApi } from './chatgpt-api.ts';
import { claudeApi } from './claude-api.ts';
import { packBodies, unpackResponses } from '../ledger/kept-bodies.ts';
import { costOf } from './cost.ts';
import { deepseekApi } from './deepseek-api.ts';
import type { Engine, EngineAnswer } from './engine.ts';
import { geminiApi } from './gemini-api.ts';
import { grokApi } from './grok-api.ts';
import { mistralApi } from './mistral-api.ts';
import { openaiCompatible } from './openai-compatible.ts';
import { perplexityApi } from './perplexity-api.ts';

/*
 * Recorded responses of engines aren't part of this repository. They are read from beside it, with the values
 * that others found in them: `recordings/MANIFEST.json` in a folder named `shared`.
 */
const folder = new URL('../../../../../../shared/recordings/', import.meta.url);
const isThere = existsSync(new URL('MANIFEST.json', folder));
const absent = isThere ? '' : ` (skipped: no recordings in ${folder.pathname})`;

const engineOf: Readonly<Record<string, Engine>> = {
  openai: chatgptApi,
  anthropic: claudeApi,
  gemini: geminiApi,
  perplexity: perplexityApi,
  xai: grokApi,
  mistral: mistralApi,
  deepseek: deepseekApi,
  openrouter: openaiCompatible,
  groq: openaiCompatible,
};

const manifest = z.array(
  z.object({
    file: z.string(),
    facts: z.looseObject({ outcome: z.string(), stop_reason: z.string().optional() }).nullable(),
  }),
);
const recording = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
});

function readRecording(file: string) {
  const { status, headers, body } = recording.parse(
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  ).response;
  const engine = engineOf[file.split('--')[0] ?? ''];
  if (engine === undefined) throw new Error(`No engine for ${file}`);
  return { engine, status, body, answer: engine.read(status, headers, body) };
}

describe.skipIf(!isThere)(`recorded responses${absent}`, () => {
  const entries = isThere
    ? manifest.parse(JSON.parse(readFileSync(new URL('MANIFEST.json', folder), 'utf8')))
    : [];
  const answered = entries.filter(({ facts }) => facts !== null);
  const refused = entries.filter(({ facts }) => facts === null);

  test.each(answered.map(({ file, facts }) => [file, facts] as const))(
    '%s is read as others read it',
    (file, facts) => {
      const { engine, answer } = readRecording(file);
      const urls = (pages: EngineAnswer['sources']): string[] => pages.map(({ url }) => url);
      const found = {
        text: answer.text,
        cited: urls(answer.sources),
        cited_titles: [...new Set(answer.sources.flatMap(({ title }) => title ?? []))],
        retrieved: urls(answer.retrieved),
        searches: answer.searches,
        queries: answer.queries,
        model: answer.model,
        input_tokens: answer.tokens?.input,
        output_tokens: answer.tokens?.output,
        cost_usd: costOf(engine, { ...answer, tokens: null })?.usd ?? null,
        // A paused answer is incomplete: alone it is a failure.
        outcome: answer.fault?.kind === 'unfinished' ? '(goes on)' : answer.outcome,
      };
      const { stop_reason: _, ...expected } = facts ?? {};
      expect(found).toMatchObject(expected);
    },
  );

  test('every recording of the folder with an answer is compared', () => {
    expect(answered.length).toBeGreaterThan(18);
    expect(refused.length).toBeGreaterThan(8);
  });

  test.each(entries.map(({ file }) => file))(
    '%s is read alike as it came and as it is kept',
    (file) => {
      const { engine, status, body } = readRecording(file);
      const request = JSON.stringify({ url: 'https://example.com', body: {} });
      const exchange = { status, request, response: body };
      const packed = packBodies({ ...exchange, earlier: [exchange] });
      const kept = unpackResponses({ ...packed, earlier: packed.earlier ?? null });
      expect(kept.map((each) => engine.read(each.status, {}, each.response))).toEqual([
        engine.read(status, {}, body),
        engine.read(status, {}, body),
      ]);
    },
  );

  test('recorded error responses say whether to wait, to stop the engine, or that the question is wrong', () => {
    const kinds = refused.map(({ file }) => [file, readRecording(file).answer.fault?.kind]);
    expect(Object.fromEntries(kinds)).toEqual({
      'openai--error-401.json': 'switch_off',
      'openai--error-400-context.json': 'rejected',
      'anthropic--error-401.json': 'switch_off',
      'anthropic--error-400-too-long.json': 'rejected',
      'gemini--error-429-retry-info.json': 'wait',
      'gemini--error-400-invalid-key.json': 'switch_off',
      'perplexity--error-401.json': 'switch_off',
      'perplexity--error-400-too-long.json': 'rejected',
      'xai--error-400-invalid-key.json': 'switch_off',
      'mistral--error-401.json': 'switch_off',
      'openrouter--error-429-upstream.json': 'wait',
    });
    expect(readRecording('gemini--error-429-retry-info.json').answer.fault?.waitMs).toBe(48_000);
  });

  test('a recorded paused answer continues with what it said so far, unchanged', () => {
    const { body } = readRecording('anthropic--pause-turn-1.json');
    const request = claudeApi.request(
      { text: 'Which?', locale: 'en-US' },
      {
        baseUrl: 'https://example.com',
        model: 'm',
        hasSearch: true,
        requiresSearch: false,
        searchesMax: 3,
        outputTokensMax: 9,
      },
    );
    const { content } = z.object({ content: z.array(z.unknown()) }).parse(JSON.parse(body));
    expect(claudeApi.next?.(request, body)?.body['messages']).toEqual([
      { role: 'user', content: 'Which?' },
      { role: 'assistant', content },
    ]);
    expect(claudeApi.next?.(request, readRecording('anthropic--pause-turn-2.json').body)).toBe(
      undefined,
    );
  });
});
