declare module 'negotiator' {
  /** The published types lack the server's preference, which decides between equals. */
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | undefined>> });
    encodings(
      available: readonly string[],
      options: { readonly preferred: readonly string[] },
    ): string[];
  }
}
