import { shellWord } from '../../values/shell-word.ts';

/**
 * Makes the function that turns each `overheard COMMAND` in a message into a command that the
 * reader can type: with the program as it was called, such as `npx overheard`, and with the
 * `--database` and the `--workspace` of this command, if any.
 */
export function createAsTyped(
  program: string,
  commands: readonly string[],
): (words: string, named?: NamedPlace) => string {
  const hint = new RegExp(
    '(?<![\\w./@-]|npx )overheard (?:' +
      `((?:${commands.join('|')})(?![\\w-])(?: [a-z][a-z-]+)?)( --help)?` +
      '|(?=(?:help|COMMAND)(?!\\w)|--|\\[options\\]))',
    'g',
  );
  return (words, { database, workspace } = {}) => {
    const option = database === undefined ? '' : ` --database ${databaseWord(database)}`;
    const slug = workspace === undefined ? 'SLUG' : shellWord(workspace);
    return words
      .replaceAll(
        hint,
        (_, command = '', help = '') =>
          `${program} ${command}${command === '' || help !== '' ? help : option}`,
      )
      .replaceAll(/(?<=--workspace )SLUG\b/g, () => slug);
  };
}

/** What a command line names, as it was typed. */
export interface NamedPlace {
  readonly database?: string | undefined;
  readonly workspace?: string | undefined;
}

/**
 * Name a database whose URL contains a password by its variable, because the password must not be
 * printed.
 */
function databaseWord(database: string): string {
  const isUrl = /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(database);
  return isUrl ? '"$OVERHEARD_DATABASE"' : shellWord(database);
}
