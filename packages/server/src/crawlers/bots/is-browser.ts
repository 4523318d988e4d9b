import { isbot } from 'isbot';
import { createMemo } from '../../values/memo.ts';

/** Whether a user agent is that of a person's browser. Bots and programs can send the same one. */
export const isBrowser = createMemo(
  (userAgent) =>
    /^Mozilla\/5\.0 \(.*\b(?:AppleWebKit|Gecko)\//.test(userAgent) && !isbot(userAgent),
  { entriesMax: 4096, lengthMax: 512 },
);
