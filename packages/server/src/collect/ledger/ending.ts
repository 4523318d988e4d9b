import type { Exchange } from '../ask/ask-engine.ts';
import { costOf } from '../engines/cost.ts';
import type { EngineAnswer } from '../engines/engine.ts';
import { toMicros } from './micros.ts';
import type { BoundEngine } from './paced-engines.ts';
import type { Settlement } from './paid-question.ts';

/** What to do with a reading that was sent. */
export type Ending =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  /** The reading was certainly not billed, so it may be sent again. */
  | {
      readonly kind: 'release';
      readonly why: 'wait' | 'switch_off' | 'unreached';
      readonly fault: string;
      readonly waitMs: number;
    };

interface AskResult {
  readonly answer: EngineAnswer;
  readonly exchanges: readonly Exchange[];
}

/**
 * Decides how a reading ends, by its response. A reading that was perhaps billed is charged and
 * never sent again.
 */
export function endingOf(
  engine: Pick<BoundEngine, 'adapter' | 'boundMicros'>,
  { answer, exchanges }: AskResult,
): Ending {
  const { adapter, boundMicros } = engine;
  const { fault } = answer;
  const code = fault === undefined ? null : (fault.code ?? fault.kind);
  const evidence = evidenceOf(exchanges);
  switch (fault?.kind) {
    case 'wait':
    case 'switch_off':
    case 'unreached':
      return {
        kind: 'release',
        why: fault.kind,
        fault: code ?? fault.kind,
        waitMs: fault.waitMs ?? 0,
      };
    case 'rejected':
      return settleAs('failed', 0);
    case 'unclear':
      return atBound('unknown');
    default: {
      const cost = costOf(adapter, answer);
      if (cost === undefined) return atBound('done');
      return settleAs('done', toMicros(cost.usd), cost.basis);
    }
  }

  function atBound(state: Settlement['state']): Ending {
    return settleAs(state, boundMicros, 'bound');
  }

  function settleAs(
    state: Settlement['state'],
    costMicros: number,
    basis: Settlement['facts']['cost_basis'] = null,
  ): Ending {
    const { model, searches, outcome, responseId } = answer;
    const answered = state === 'done' ? { model, searches, outcome } : {};
    const listed =
      basis === 'reported' ? costOf(adapter, { ...answer, reportedUsd: null }) : undefined;
    const facts = {
      cost_basis: basis,
      ...(listed !== undefined && { listed_micros: toMicros(listed.usd) }),
      fault: code,
      request_id: responseId,
      ...answered,
    };
    return { kind: 'settle', settlement: { state, costMicros, facts, evidence } };
  }
}

function evidenceOf(exchanges: readonly Exchange[]): Settlement['evidence'] {
  const evidence = exchanges.map(({ request: { url, body: requestBody }, status, body }) => ({
    status,
    request: JSON.stringify({ url, body: requestBody }),
    response: body,
  }));
  const last = evidence.pop();
  return last && { ...last, earlier: evidence };
}
