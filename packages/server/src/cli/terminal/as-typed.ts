import { shellWord } from '../../values/shell-word.ts';

/**
 * Makes the function that turns each `overheard COMMAND` in words for a person into what the reader
 * can type: with the program as it was called, such as `npx overheard`, and with the database that
 * this command was given, if any.
 */
export function createAsTyped(
  program: string,
  commands: readonly string[],
): (words: string, database?: string) => string {
  const hint = new RegExp(
    '(?<![\\w./@-]|npx )overheard (?:' +
      `((?:${commands.join('|')})(?![\\w-])(?: [a-z][a-z-]+)?)( --help)?` +
      '|(?=(?:help|COMMAND)(?!\\w)|--|\\[options\\]))',
    'g',
  );
  return (words, database) => {
    const option = database === undefined ? '' : ` --database ${databaseWord(database)}`;
    return words.replaceAll(
      hint,
      (_, command = '', help = '') =>
        `${program} ${command}${command === '' || help !== '' ? help : option}`,
    );
  };
}

/** A password must not be printed: a database with one is named by its variable. */
function databaseWord(database: string): string {
  const isUrl = /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(database);
  return isUrl ? '"$OVERHEARD_DATABASE"' : shellWord(database);
}
