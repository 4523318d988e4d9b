/** Differences up to which a name counts as mistyped. */
const distanceMax = 3;

/** The known name that a mistyped one most likely means; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const folded = fold(name);
  let nearest: string | undefined;
  let least = Math.min(distanceMax, Math.ceil(folded.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(folded, fold(candidate), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

function fold(name: string): string {
  return name
    .slice(0, 64)
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replace(/[\s.-]+/g, '_');
}

/** Insertions, deletions and substitutions between two names; at least `bound` is as good as far. */
function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? bound;
}
