import { expect, test } from 'vitest';
import { forecastInterval } from './forecast-interval.ts';

const options = { days: 1, halfWidth: 0.1, daysMax: 28 };

test('alike answers of few prompts need more prompts, and answers that differ more days', () => {
  const alike = Array.from({ length: 10 }, (_, index) => ({ part: index < 4 ? 8 : 0, whole: 8 }));
  const forecast = forecastInterval(alike, options);
  expect(forecast).toEqual({ prompts: expect.any(Number) });
  // A rate of 40 % to within 10 points takes some 92 independent answers, and each prompt gives about one.
  const { prompts } = forecast !== undefined && 'prompts' in forecast ? forecast : { prompts: 0 };
  expect(prompts).toBeGreaterThan(80);
  expect(prompts).toBeLessThan(160);
  const mixed = Array.from({ length: 60 }, (_, index) => ({ part: 1 + (index % 2), whole: 4 }));
  expect(forecastInterval(mixed, options)).toEqual({ moreDays: 0 });
  const few = Array.from({ length: 30 }, (_, index) => ({ part: index % 2, whole: 2 }));
  const later = forecastInterval(few, options);
  expect(later).toEqual({ moreDays: expect.any(Number) });
  expect(later).not.toEqual({ moreDays: 0 });
});

test('under five prompts there is nothing to forecast, and nobody cited is forecast as any rate', () => {
  expect(forecastInterval([{ part: 1, whole: 2 }], options)).toBeUndefined();
  const none = Array.from({ length: 8 }, () => ({ part: 0, whole: 3 }));
  expect(forecastInterval(none, options)).toBeDefined();
});
