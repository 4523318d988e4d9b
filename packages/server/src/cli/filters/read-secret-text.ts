import { openSource } from '../../rows/source.ts';
import { Refusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';
import type { Io } from '../terminal/io.ts';

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
