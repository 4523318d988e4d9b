import data from './token-data.json' with { type: 'json' };

/** A piece of more bytes is counted as its bytes: it is noise, and merging takes its length squared. */
const mergedBytesMax = 250;

let ranks: ReadonlyMap<string, number> | undefined;

/**
 * The merges that the tokenizer makes first, by rank: a token's bytes, each as one character, and
 * when it is made. Those with line feeds, returns or tabs are left out.
 */
function firstMerges(): ReadonlyMap<string, number> {
  ranks ??= new Map(data.merges.split('\n').map((token, rank) => [token, rank]));
  return ranks;
}

/**
 * How many tokens a piece costs at most. Byte-pair encoding begins with single bytes and always
 * makes the merge of the lowest rank, so that it passes through the state that is left by its first
 * merges alone; every later merge makes fewer tokens of it.
 */
export function mergedTokensMax(piece: string): number {
  const bytes = Buffer.from(piece);
  if (bytes.length > mergedBytesMax || /[\n\r\t]/.test(piece)) return bytes.length;
  const merges = firstMerges();
  if (merges.has(bytes.toString('latin1'))) return 1;
  return merge([...bytes.toString('latin1')], merges);
}

/** Merges neighbours, lowest rank and then leftmost first, and returns how many parts are left. */
function merge(parts: string[], merges: ReadonlyMap<string, number>): number {
  const rankAt = (index: number) =>
    merges.get(`${parts[index]}${parts[index + 1] ?? ''}`) ?? Infinity;
  const pairs = parts.slice(1).map((_part, index) => rankAt(index));
  for (;;) {
    const lowest = lowestIndex(pairs);
    if (lowest === undefined) return parts.length;
    parts.splice(lowest, 2, `${parts[lowest]}${parts[lowest + 1]}`);
    pairs.splice(lowest, 1);
    if (lowest < pairs.length) pairs[lowest] = rankAt(lowest);
    if (lowest > 0) pairs[lowest - 1] = rankAt(lowest - 1);
  }
}

function lowestIndex(ranksOfPairs: readonly number[]): number | undefined {
  let found: number | undefined;
  let lowest = Infinity;
  // Not by entries: this is where the time goes.
  for (let index = 0; index < ranksOfPairs.length; index++) {
    const rank = ranksOfPairs[index] ?? Infinity;
    if (rank < lowest) {
      found = index;
      lowest = rank;
    }
  }
  return found;
}
