/** A link within an answer. Offsets are in code units. */
export interface Link {
  readonly start: number;
  readonly end: number;
  /**
   * The address in a form that can be parsed; undefined if it does not lead to the web (`#top`,
   * `ftp:`).
   */
  readonly address: string | undefined;
  /** Whether the link is only a bare domain such as `Acme.com`, without a path or `www.`. */
  readonly isDomain?: boolean;
}
