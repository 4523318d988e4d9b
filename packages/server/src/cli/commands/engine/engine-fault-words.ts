import type { EngineFault } from '../../../collect/engines/engine.ts';
import { plural } from '../../../values/plural.ts';

/** Explains why an engine gave no answer to count, and what to do. */
export function engineFaultWords(
  { kind, code = 'no code', waitMs = 0 }: EngineFault,
  { engine, keyVariable, host }: { engine: string; keyVariable: string; host: string },
): string {
  const wait = waitMs === 0 ? 'later' : `in ${plural(Math.ceil(waitMs / 1000), 'second')}`;
  const words = {
    unreached: `There is no connection to ${host} (${code}). ${unreachedAdvice(code)}`,
    wait: `${engine} is overloaded, or your limit is reached (${code}). Try again ${wait}.`,
    switch_off: `${engine} refuses the key or its account (${code}). Check the key in ${keyVariable}, its quota and its permissions.`,
    rejected: `${engine} rejects the request (${code}). Check --model and --base-url.`,
    unclear: `${engine} gave no complete response (${code}). The question may have been billed, so it is not sent again.`,
    unreadable: `${engine} gave a response in a form that this version of Overheard cannot read. Check --base-url, or upgrade.`,
    truncated: `The answer was cut off at a limit (${code}). Raise --output-tokens.`,
    unfinished: `${engine} paused, and then gave no answer (${code}). Allow fewer searches with --searches.`,
    failed: `${engine} says that it failed (${code}). It may have been billed.`,
  } as const satisfies Readonly<Record<EngineFault['kind'], string>>;
  return words[kind];
}

function unreachedAdvice(code: string): string {
  if (code === 'address_of_credentials') {
    return 'Clouds give out credentials at such an address (169.254.0.0/16, fe80::/10, fd00:ec2::254, 100.100.100.200): no engine may be there.';
  }
  return code === 'address_not_public'
    ? 'Its address is not a public one: only openai_compatible may be at such an address.'
    : 'Check the network and --base-url. Nothing was sent.';
}
