import type { OptionSpec } from '../../config.ts';
import { parsed } from './options.ts';

/** An amount in US dollars, to the millionth. */
export function usdOption(
  summary: string,
  { isRequired = false }: { isRequired?: boolean } = {},
): OptionSpec<number | undefined> {
  const spec = parsed('<usd>', summary, {
    parse: (text) => (/^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined),
    expected: 'It must be an amount in US dollars such as 5 or 0.25.',
  });
  return { ...spec, isRequired };
}
