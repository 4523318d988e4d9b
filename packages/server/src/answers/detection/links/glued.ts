/**
 * Where an address begins that has no space before it: `https://a.com,https://b.com`. Not one
 * within the path or query of another: `/https://`, `=https://`.
 */
export const glued = /(?<=[\p{L}\p{N}.,;!)\]'*_])(?<!%[\da-f]{2})(?=https?:\/\/)/iu;
