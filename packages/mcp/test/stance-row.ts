import type { StanceRow, SubjectRow } from '@overheard/contract';

/** How answers present a subject: of three, the first one is recommended most. */
export function stanceRow({ id, type, name }: SubjectRow, index: number): StanceRow {
  return {
    subject_id: id,
    subject_type: type,
    name,
    engine: null,
    prompt_id: null,
    tag: null,
    purpose: null,
    from: '2026-10-24',
    to: '2026-11-20',
    runs: 240,
    cited: 120,
    first_choice: 12,
    recommended_for: 40 - index,
    also: 38 + index,
    plain: 24,
    mixed: 4,
    advised_against: 2,
    unknown_to_engine: 0,
    void: 3,
    recommended_rate: 0.4333,
    recommended_rate_low: 0.3421,
    recommended_rate_high: 0.5294,
    recommended_share: 0.3121,
    recommended_share_low: 0.2304,
    recommended_share_high: 0.4077,
    kappa: 0.74,
    kappa_low: 0.63,
    kappa_high: 0.85,
    labels: 100,
    judge: 'chatgpt_api',
    quotes: [
      {
        run_id: `a0000000-0000-5000-8000-00000000000${index}`,
        engine: 'chatgpt',
        run_at: '2026-11-20T06:00:00.000Z',
        stance: 'recommended_for',
        purpose: 'small agencies',
        quote: `Best for small agencies: ${name}`,
      },
    ],
  };
}

/** How an answer presents a subject. */
export const presented = {
  stance: 'first_choice',
  purpose: null,
  quote: 'Globex is the usual choice. <b>',
};
