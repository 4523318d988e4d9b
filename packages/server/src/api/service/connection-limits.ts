/** How long a connection may take, in milliseconds, before it is ended. */
export interface ConnectionLimits {
  /** For the headers of a request to arrive. */
  readonly headersMs: number;
  /** For the whole request to arrive. */
  readonly requestMs: number;
  /** For an upload by a signed-in person. */
  readonly uploadMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /**
   * Without a byte in either direction until a response ends, and for each slice of a long
   * response.
   */
  readonly stallMs: number;
  /** How often the first two limits are checked. */
  readonly checkMs: number;
}

/**
 * The limits of our servers. Proxies usually keep connections open for 60 s, so `keepAliveMs` must
 * be longer.
 */
export const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 15_000,
  uploadMs: 3_600_000,
  keepAliveMs: 72_000,
  stallMs: 30_000,
  checkMs: 1000,
};
