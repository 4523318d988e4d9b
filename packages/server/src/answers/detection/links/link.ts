/** A link within an answer. Offsets are in code units. */
export interface Link {
  readonly start: number;
  readonly end: number;
  /** The address as it can be parsed; undefined if nothing on the web is meant (`#top`, `ftp:`). */
  readonly address: string | undefined;
  /** A bare domain and nothing else: `Acme.com`, without a path or `www.`. */
  readonly isDomain?: boolean;
}
