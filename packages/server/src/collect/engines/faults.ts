import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import type { EngineFault, ResponseHeaders } from './engine.ts';
import { items, part, text } from './lenient.ts';

const code = z.union([z.string(), z.number()]).optional().catch(undefined);

/** Error bodies of all engines. OpenAI, Anthropic, Perplexity and Google nest them, xAI and Mistral do not. */
const errorBody = z.object({
  error: z
    .union([
      z.object({
        code,
        type: text,
        status: text,
        details: items(z.object({ reason: text, retryDelay: text })),
        metadata: part({ reasons: items(z.string()) }),
      }),
      z.string(),
    ])
    .optional()
    .catch(undefined),
  code,
  type: text,
  detail: z.unknown().optional(),
});

/**
 * Codes that need the operator's action, with any status: Google and xAI respond to a wrong key
 * with 400.
 */
const operatorCodes = new Set([
  'insufficient_quota',
  'invalid_api_key',
  'api_key_invalid',
  'account_deactivated',
  'billing_hard_limit_reached',
  'billing_not_active',
  'authentication_error',
  'permission_error',
  'billing_error',
]);
const operatorStatuses = new Set([401, 402, 403]);
const waitStatuses = new Set([429, 503, 529]);

/** The fault that an error status means, and how long to wait. */
export function httpFault(status: number, headers: ResponseHeaders, body: string): EngineFault {
  const parsed = errorBody.safeParse(only(parseJson(body)));
  const details = parsed.success ? parsed.data : undefined;
  const codes = details === undefined ? [] : codesOf(details);
  const faultCode = codes.find((each) => /^[\w.-]{1,60}$/.test(each)) ?? `http_${status}`;
  const inner = typeof details?.error === 'object' ? details.error : undefined;
  // OpenRouter refuses a prompt with 403, the status of a missing permission.
  if ((inner?.metadata?.reasons.length ?? 0) > 0) return { kind: 'rejected', code: 'flagged' };
  // xAI uses the same code for a wrong key as for any wrong argument.
  const isWrongKey =
    typeof details?.error === 'string' && /^incorrect api key/i.test(details.error);
  if (
    isWrongKey ||
    operatorStatuses.has(status) ||
    codes.some((each) => operatorCodes.has(each.toLowerCase()))
  ) {
    return { kind: 'switch_off', code: faultCode };
  }
  if (waitStatuses.has(status)) {
    const delays = inner?.details.map(({ retryDelay }) => durationMs(retryDelay)) ?? [];
    return { kind: 'wait', code: faultCode, waitMs: Math.max(0, headerWaitMs(headers), ...delays) };
  }
  // The server may have worked on the request, and may bill it.
  const isUnclear = status >= 500 || status === 408;
  return { kind: isUnclear ? 'unclear' : 'rejected', code: faultCode };
}

/** The code of an error body; undefined for other JSON. */
export function codeOf(value: object): string | undefined {
  const parsed = errorBody.safeParse(only(value));
  if (!parsed.success || (parsed.data.error ?? parsed.data.detail ?? undefined) === undefined) {
    return undefined;
  }
  return codesOf(parsed.data).find((each) => /^[\w.-]{1,60}$/.test(each)) ?? 'error';
}

/** Google wraps an error in a list at some of its addresses. */
function only(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function codesOf({ error, code: outer, type }: z.infer<typeof errorBody>): string[] {
  const inner = typeof error === 'object' ? error : undefined;
  const reasons = inner?.details.map(({ reason }) => reason) ?? [];
  return [...reasons, inner?.code, inner?.type, inner?.status, outer, type].flatMap((each) =>
    each === undefined ? [] : [String(each)],
  );
}

/** The longest wait that the headers ask for. Dates are measured from the response's own date. */
function headerWaitMs(headers: ResponseHeaders): number {
  const now = Date.parse(headers['date'] ?? '');
  const waits = Object.entries(headers).map(([name, value]) => {
    if (name === 'retry-after-ms') return Number(value);
    const isWait = name === 'retry-after' || (/ratelimit/.test(name) && /reset/.test(name));
    if (!isWait) return 0;
    const number = Number(value);
    if (!Number.isNaN(number)) {
      // Some engines send a moment, in seconds or milliseconds since 1970.
      const since = number > 1e11 ? number : number > 1e9 ? number * 1000 : undefined;
      return since === undefined ? number * 1000 : since - now;
    }
    return durationMs(value) || Date.parse(value) - now;
  });
  return Math.max(0, ...waits.filter(Number.isFinite));
}

const unitsMs = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', dayMs],
]);

/** Reads a duration such as `48s`, `1m30s` or `12ms`; 0 for any other text. */
function durationMs(value: string | undefined): number {
  if (value === undefined || !/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(value)) return 0;
  return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (unitsMs.get(unit) ?? 0),
    0,
  );
}
