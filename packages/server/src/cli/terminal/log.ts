import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { redactKeys } from '../../api/request/request-log.ts';
import type { Io } from './io.ts';

/** The server's log: lines of JSON on stdout, without any header of a request and without keys. */
export function createLog(io: Io, level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      // Remove keys from every line at the end, because an error's message may quote foreign text.
      hooks: { streamWrite: redactKeys },
    },
    logDestination(io.stdout),
  );
}

/**
 * Describes an error. Drivers attach whole connections to errors, with the secret that cancels
 * their queries.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message, stack, code: 'code' in error ? error.code : undefined };
}

/**
 * Writes to the process's stdout in the background, because a line per request is not worth waiting
 * for.
 */
function logDestination(stdout: Io['stdout']): DestinationStream {
  return 'fd' in stdout && typeof stdout.fd === 'number'
    ? pino.destination({ dest: stdout.fd, sync: false, minLength: 8192, periodicFlush: 200 })
    : stdout;
}
