/** A module that a source file names, as it is written there. */
const patterns = [
  // `import x from`, `import type`, `export ... from`, over several lines; formatted, they begin a line.
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(?<name>[^'"]+)\1/gm,
  /^import\s*(['"])(?<name>[^'"]+)\1/gm,
  // `await import()` and the type `import('...').Name`
  /\bimport\s*\(\s*(['"`])(?<name>[^'"`]+)\1/g,
];

/** Every module that a source text imports or re-exports, types included. */
export function importsOf(source: string): string[] {
  const code = withoutComments(source);
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => match.groups?.['name'] ?? ''),
  );
}

/** Source text without its comments; strings are kept, and what looks like a comment in them too. */
export function withoutComments(source: string): string {
  const tokens =
    /(?<kept>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<!\\)\/\/[^\n]*/g;
  return source.replace(tokens, (_match, kept: string | undefined) => kept ?? '');
}
