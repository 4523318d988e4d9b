/** A text without Markdown's emphasis, the targets of its links and the sign of a list. */
export function withoutSigns(text: string): string {
  return text
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*[*-]\s/, '');
}
