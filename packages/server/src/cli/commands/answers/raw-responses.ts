import type { ConvertRow } from '../../../answers/import/read-answers.ts';
import { rawFormats } from '../../../collect/raw/raw-formats.ts';
import { convertRaw } from '../../../collect/raw/convert-raw.ts';
import { parseMoment } from '../../../values/time/moment.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { choice, parsedText, text } from '../../define/options.ts';
import { UsageError } from '../../terminal/command-error.ts';

const names = rawFormats.map(({ name }) => name);

/** The options of `answers import` for raw responses. */
export const rawOptions = {
  as: choice('<raw>', names, 'import raw responses of an engine, in this format'),
  prompt: text('<text>', 'with --as: what was asked, if neither request nor response says it'),
  at: parsedText(
    '<moment>',
    'with --as: when the question was asked, if the response does not say',
    {
      parse: parseMoment,
      expected: 'It must be a moment with its zone such as 2026-11-20T12:34:56Z.',
    },
  ),
  engine: text(
    '<slug>',
    "with --as: the engine that answered, if the response names none (default: the format's API)",
  ),
  locale: text('<tag>', 'with --as: locale of the prompts, BCP 47 with its region'),
};

export const rawHelp = `
With --as, the file holds raw responses as an engine's API or a vendor sent them: one JSON object, several,
an array of them, or NDJSON. An object is a response, or {"request": ..., "response": ...}; prompt,
language, locale, engine and run_at may be beside the response. Formats and their engines:
${rawFormats.map(({ name, engine, saysEngine }) => `  ${name.padEnd(23)} ${engine ?? (saysEngine ? 'the one that it says' : 'give --engine')}`).join('\n')}
The answer is only the final message. Its sources are the cited pages, not pages that were only
read. An answer that was cut off or failed is stored as failed, and not counted.`;

/**
 * Makes the converter that the options choose for raw responses; undefined for rows in our format.
 */
export function createConverter({
  as,
  map,
  format,
  ...values
}: OptionValues<typeof rawOptions> & {
  readonly map: string | undefined;
  readonly format: string | undefined;
}): ConvertRow | undefined {
  const { prompt, at: runAt, engine, locale } = values;
  const raw = rawFormats.find(({ name }) => name === as);
  if (raw === undefined) {
    const unused = Object.entries({ prompt, at: runAt, engine, locale }).find(
      ([, value]) => value !== undefined,
    );
    if (unused === undefined) return undefined;
    throw new UsageError(`--${unused[0]} is for raw responses: name their format with --as.`);
  }
  if (map !== undefined || format !== undefined) {
    const other = map === undefined ? '--format' : '--map';
    throw new UsageError(`--as names the format of the whole file. Leave ${other} out.`);
  }
  return convertRaw(raw, { prompt, runAt, engine, locale });
}
