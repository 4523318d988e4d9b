/**
 * Finds the beginning of an address without a space before it: `https://a.com,https://b.com`.
 * Ignores an address within the path or query of another: `/https://`, `=https://`.
 */
export const glued = /(?<=[\p{L}\p{N}.,;!)\]'*_])(?<!%[\da-f]{2})(?=https?:\/\/)/iu;
