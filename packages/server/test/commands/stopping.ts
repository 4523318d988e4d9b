/**
 * A person's Ctrl-C as soon as `isSo()` is true. Like Node, it arrives between two turns of the
 * event loop.
 */
export function stopOnce(isSo: () => boolean): AbortSignal {
  const stop = new AbortController();
  const look = () => void (isSo() ? stop.abort('SIGINT') : setImmediate(look));
  look();
  return stop.signal;
}
