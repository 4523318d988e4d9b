import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './raw-line.ts';

/** One layout of lines of text: a pattern whose groups are the fields of a request. */
export interface TextLayout {
  readonly name: string;
  readonly title: string;
  readonly pattern: RegExp;
  /** Makes fields of other groups. */
  readonly also?: (groups: Readonly<Record<string, string | undefined>>) => RawLine;
}

/** Makes a format of a layout. Escapes in quoted values are decoded. */
export function textFormat({ name, pattern, also = () => ({}) }: TextLayout): LogFormat {
  return { name, parse };

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) return undefined;
    const { request = '', userAgent = '', target = '' } = groups;
    return readRawLine({
      ...groups,
      request: unescapeText(request),
      userAgent: unescapeText(userAgent),
      target: unescapeText(target),
      ...also(groups),
    });
  }
}
