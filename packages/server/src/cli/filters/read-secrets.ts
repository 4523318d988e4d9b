import { openSource } from '../../rows/source.ts';
import { Refusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';
import type { Io } from '../terminal/io.ts';
import { variableOf } from '../../config.ts';

const lengthMax = 4096;

/** Reads the beginning of a file that holds a secret, `-` for standard input. Throws a `Refusal`. */
export async function readSecretText(
  path: string,
  io: Io,
): Promise<{ readonly name: string; readonly content: string }> {
  const { name, stream } = await openSource(path, io);
  let content = '';
  try {
    for await (const chunk of stream) {
      content += String(chunk);
      if (content.length > lengthMax) break;
    }
  } catch (error) {
    throw new Refusal('file_unreadable', { path: name, errno: errnoOf(error) }, { cause: error });
  } finally {
    stream.destroy();
  }
  return { name, content };
}

/** Characters that every log writes as they are, so that a secret can be found in any line. */
const secretForm = /^[\w.~-]{16,256}$/;

/**
 * Reads the secrets that one's own content network adds to requests, from the variable and the file, one
 * a line. Throws a `Refusal` for anything else, which does not show it.
 */
export async function readOriginSecrets(
  {
    originSecret,
    originSecretFile,
  }: { originSecret: string | undefined; originSecretFile: string | undefined },
  io: Io,
): Promise<readonly string[]> {
  const variable = variableOf('originSecret');
  const sources = [
    ...(originSecret === undefined ? [] : [{ name: variable, content: originSecret }]),
    ...(originSecretFile === undefined ? [] : [await readSecretText(originSecretFile, io)]),
  ];
  return sources.flatMap(({ name, content }) => {
    const secrets = content.split('\n').map((text) => text.trim());
    const written = secrets.filter((text) => text !== '');
    if (written.length > 0 && written.every((text) => secretForm.test(text))) return written;
    throw new Refusal('origin_secret_malformed', { name });
  });
}
