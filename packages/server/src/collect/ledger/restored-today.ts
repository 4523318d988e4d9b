import { Refusal, refusalWords } from '../../refusals.ts';
import { utcDay } from '../../values/time/utc-day.ts';

/** Why earlier sweeps of today are not asked, if the ledger was restored today. */
export function restoredToday(restoredAt: string | null, nowMs: number): Refusal[] {
  if (restoredAt === null || utcDay(Date.parse(restoredAt)) < utcDay(nowMs)) return [];
  return [new Refusal('ledger_restored', { restoredAt })];
}

/** The same in words, for a person. */
export function restoredTodayWords(restoredAt: string | null, nowMs: number): readonly string[] {
  return restoredToday(restoredAt, nowMs).map((refusal) => refusalWords(refusal));
}
