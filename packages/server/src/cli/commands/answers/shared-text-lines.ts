import type { EngineText } from '../../../answers/page-texts.ts';

const shownMax = 200;

/** Names texts that most answers of an engine share, and how to take them off the count. */
export function sharedTextLines(
  texts: readonly EngineText[],
  { slug, stripped }: { slug: string; stripped: readonly EngineText[] },
): string[] {
  return texts.flatMap((text) =>
    stripped.includes(text)
      ? strippedTextLines([text], { isDryRun: false })
      : [
          `${describe(text)}: ${quote(text)}`,
          `If the page wrote it and not the engine, do not count it: overheard answers redetect --workspace ${slug} --strip-${text.place} ${text.engine} --dry-run`,
        ],
  );
}

/** The texts that were taken off the count, or would be. */
export function strippedTextLines(
  texts: readonly EngineText[],
  { isDryRun }: { isDryRun: boolean },
): string[] {
  return texts.map(
    (text) =>
      `${describe(text)}, which ${isDryRun ? 'would not count' : 'does not count now'}: ${quote(text)}`,
  );
}

function describe({ engine, place, text, answers, of }: EngineText): string {
  const verb = place === 'head' ? 'begin' : 'end';
  return `${answers} of ${of} different answers of ${engine} ${verb} with the same ${Array.from(text).length} characters`;
}

function quote({ place, text }: EngineText): string {
  const line = text.replaceAll(/\s+/g, ' ');
  if (line.length <= shownMax) return JSON.stringify(line);
  const cut = place === 'head' ? `${line.slice(0, shownMax)}…` : `…${line.slice(-shownMax)}`;
  return JSON.stringify(cut);
}
