import { plural } from '../../values/plural.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

const months =
  'January February March April May June July August September October November December';

/** A day in words, UTC: `20 November 2026`. */
export function dayWords(moment: string): string {
  const month = months.split(' ')[Number(moment.slice(5, 7)) - 1] ?? '';
  return `${Number(moment.slice(8, 10))} ${month} ${moment.slice(0, 4)}`;
}

/** The days of a period in words, UTC: `31 October to 27 November 2026`. A single day is named once. */
export function periodWords({ from, to }: { readonly from: string; readonly to: string }): string {
  if (from === to) return dayWords(from);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${isOneYear ? dayWords(from).replace(/ \d+$/, '') : dayWords(from)} to ${dayWords(to)}`;
}

/** A day in few words: `20 Nov`. */
export function fewDayWords(moment: string): string {
  const [day, month = ''] = dayWords(moment).split(' ');
  return `${day} ${month.slice(0, 3)}`;
}

/** A day in a table: `20 Nov`, with its year if it is not the current one. */
export function shortDay(moment: string, nowMs: number): Html {
  return short(moment, nowMs, '');
}

/** A moment to the minute in a table, UTC: `20 Nov, 12:34`. */
export function shortMinute(moment: string, nowMs: number): Html {
  return short(moment, nowMs, `, ${moment.slice(11, 16)}`);
}

function short(moment: string, nowMs: number, time: string): Html {
  const year =
    Number(moment.slice(0, 4)) === new Date(nowMs).getUTCFullYear() ? '' : ` ${moment.slice(0, 4)}`;
  return html`<time datetime="${moment}" title="${dayWords(moment)}${time}, UTC">${fewDayWords(moment)}${year}${time}</time>`;
}

/** How long ago a moment was, or its day. The exact moment is in the title. */
export function ago(moment: string, nowMs: number): Html {
  return html`<time datetime="${moment}" title="${moment}">${agoWords(moment, nowMs)}</time>`;
}

function agoWords(moment: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(moment)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${plural(hours, 'hour')} ago` : dayWords(moment);
}

/** The time when something ends, in amber during its last 14 days. */
export function endTime(moment: string, nowMs: number): Html {
  const leftMs = Date.parse(moment) - nowMs;
  if (leftMs <= 0) return html`<span class="bad-text">ended ${dayWords(moment)}</span>`;
  if (leftMs >= 14 * dayMs) return html`<time datetime="${moment}">${dayWords(moment)}</time>`;
  const days = Math.floor(leftMs / dayMs);
  const left = days === 0 ? 'in under a day' : `in ${plural(days, 'day')}`;
  return html`<time class="warn-text" datetime="${moment}" title="${moment}">${left}</time>`;
}
