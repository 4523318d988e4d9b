import { readFileSync } from 'node:fs';
import { Refusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a secret of the environment: the value of the variable, else the content of the file that
 * the variable with `_FILE` at its end names, as systemd's credentials and the secrets of containers
 * are given. Blanks around it are cut; an empty one is undefined, as container files write it. The
 * file is read each time, so that a renewed secret needs no restart. Throws a `Refusal` if the file
 * cannot be read.
 */
export function readSecretVariable(environment: Environment, name: string): string | undefined {
  const text = filled(environment[name]);
  const path = filled(environment[`${name}_FILE`]);
  if (text !== undefined || path === undefined) return text;
  try {
    return filled(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Refusal('file_unreadable', { path, errno: errnoOf(error) }, { cause: error });
  }
}

/**
 * Whether a secret is in the environment, or in a file that it names: also one that cannot be read
 * now, since it may be read later.
 */
export function hasSecretVariable(environment: Environment | undefined, name: string): boolean {
  return [name, `${name}_FILE`].some((each) => filled(environment?.[each]) !== undefined);
}

function filled(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
