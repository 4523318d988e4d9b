import { isUtf8 } from 'node:buffer';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { z } from 'zod';
import { sweepsPerDay } from '../../../collect/ledger/budgets.ts';
import { parseRecipient, recipientsMax } from '../../../messages/recipients.ts';
import { foldEmail, parseEmail } from '../../../people/email.ts';
import { parseName } from '../../../people/name.ts';
import { roles } from '../../../people/roles.ts';
import { isRefusal, Refusal, refusalWords } from '../../../refusals.ts';
import { unknownField } from '../../../rows/check-row.ts';
import { Faults } from '../../../rows/fault.ts';
import { isUnavailable } from '../../../storage/unavailable.ts';
import { canonicalTag, completeLanguage, hasRegion } from '../../../values/language-tag.ts';
import { parseTag } from '../../../values/tag.ts';
import { promptId } from '../../../values/uuid.ts';
import { fold } from '../../../workspaces/words.ts';

const isStorable = (text: string): boolean =>
  text.trim() !== '' && text.isWellFormed() && !text.includes('\0');
const text = z.string().refine(isStorable, 'text that is not empty');
const texts = z.array(text);
const usd = z.number().min(0).max(9_999_999);

/** Text that `parse` brings into its stored form; it returns undefined for any other. */
function parsed<Value>(parse: (value: string) => Value | undefined, expected: string) {
  return z.string().transform((value, context): Value => {
    const result = parse(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: expected, input: value });
    return z.NEVER;
  });
}

const locale = parsed((value) => {
  const tag = canonicalTag(value);
  return tag !== undefined && hasRegion(tag) ? tag : undefined;
}, 'a language with its region, such as en-US');

/** A list without two items of the same key. */
function list<Item>(item: z.ZodType<Item>, keyOf: (each: Item) => string) {
  return z.array(item).superRefine((items, context) => {
    const keys = items.map(keyOf);
    for (const [place, key] of keys.entries()) {
      const first = keys.indexOf(key);
      if (first === place) continue;
      const message = `another one than number ${first + 1} of the list`;
      context.addIssue({ code: 'custom', message, path: [place], input: items[place] });
    }
  });
}

const subject = z.strictObject({
  name: text,
  aliases: texts.optional(),
  aliases_exact: texts.optional(),
  aliases_pattern: texts.optional(),
  domains: texts.optional(),
  paths: texts.optional(),
});

const tag = parsed(parseTag, 'a tag of 1 to 60 characters without a comma');

const prompt = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : value),
  z.strictObject({
    text,
    language: parsed(canonicalTag, 'a language such as en').optional(),
    locale: locale.optional(),
    active: z.boolean().optional(),
    collect: z.boolean().optional(),
    tags: z.array(tag).optional(),
    topic: tag.optional(),
  }),
);

const member = z.strictObject({
  email: parsed(parseEmail, 'an e-mail address'),
  name: parsed(parseName, 'text of 1 to 100 characters').optional(),
  role: z.enum(roles),
});

const workspace = z
  .strictObject({
    slug: text,
    name: text,
    locale: locale.optional(),
    brand: subject,
    competitors: list(subject, ({ name }) => fold(name)).optional(),
    prompts: z.array(prompt).optional(),
    budget: z
      .strictObject({
        day: usd,
        month: usd,
        sweeps: z.int().min(sweepsPerDay.min).max(sweepsPerDay.max).optional(),
      })
      .optional(),
    engines: list(text, (name) => name)
      .min(1)
      .optional(),
    members: list(member, ({ email }) => foldEmail(email)).optional(),
    messages: list(
      parsed(parseRecipient, 'an address that begins with https://, or for mail'),
      (address) => address,
    )
      .max(recipientsMax)
      .optional(),
  })
  .transform(({ prompts, ...rest }) => ({
    ...rest,
    prompts: prompts?.map(({ language, locale: own, ...each }) => {
      const usual = language === undefined ? rest.locale : undefined;
      const place = completeLanguage(language, own ?? usual);
      const stored = { ...each, ...place, text: each.text.normalize('NFC').trim() };
      return { id: promptId(stored), ...stored };
    }),
  }));

const fileSchema = z.strictObject({ workspaces: list(workspace, ({ slug }) => slug) });

export type DescribedWorkspace = z.infer<typeof workspace>;
export type DescribedSubject = z.infer<typeof subject>;

/** A place in the file: `['workspaces', 3, 'brand']`. */
export type Path = ReadonlyArray<string | number>;

export interface WorkspaceFile {
  readonly workspaces: readonly DescribedWorkspace[];
  /** Does work for one place of the file. What it is refused for is said with file, line and field. */
  readonly at: <Result>(path: Path, work: () => Promise<Result>) => Promise<Result>;
  /** The refusal of a value that another part of Overheard does not allow. */
  readonly refusal: (path: Path, words: string) => Refusal;
}

/**
 * Reads a file that describes workspaces, in YAML or JSON. Throws a `Refusal` that lists every fault
 * of its form, each with its line and field.
 */
export function parseWorkspaceFile(name: string, bytes: Buffer): WorkspaceFile {
  const content = bytes.toString();
  if (!isUtf8(bytes)) {
    const line = content.slice(0, content.indexOf('\u{FFFD}')).split('\n').length;
    throw new Refusal('file_not_utf8', { file: name, line });
  }
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, prettyErrors: false, merge: true });
  const faults = new Faults();
  for (const { message, pos } of document.errors) {
    const { line } = lines.linePos(pos[0]);
    faults.add({ line, expected: `YAML or JSON (${message})` });
  }
  faults.refuse(name);
  const lineOf = (path: Path): number => lineAt(document, lines, path);
  const { success, data, error } = fileSchema.safeParse(document.toJS(), {
    reportInput: true,
  });
  for (const issue of error?.issues ?? []) addFault(faults, issue, lineOf);
  faults.refuse(name);
  if (!success) throw new TypeError('Each issue is a fault');
  const refusal = (path: Path, words: string): Refusal =>
    new Refusal('described_wrongly', { file: name, line: lineOf(path), field: field(path), words });
  return {
    ...data,
    refusal,
    at: async (path, work) => {
      try {
        return await work();
      } catch (failure) {
        const isOfFile = isRefusal(failure) && !isUnavailable(failure);
        throw isOfFile ? refusal(path, refusalWords(failure)) : failure;
      }
    },
  };
}

/** The line of a value, or of the nearest one around it, from 1. */
function lineAt(document: Document, lines: LineCounter, path: Path): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** `workspaces[3].brand.domains` */
function field(path: Path): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? step : `${before}.${step}`;
  }, '');
}

function addFault(faults: Faults, issue: z.core.$ZodIssue, lineOf: (path: Path) => number): void {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code !== 'unrecognized_keys') {
    const { input: found } = issue;
    faults.add({ line: lineOf(path), field: field(path), expected: expectedOf(issue), found });
    return;
  }
  const known = fieldsAt(path);
  for (const key of issue.keys) {
    const place = [...path, key];
    const { expected: words = '' } = unknownField(key, known) ?? {};
    faults.add({ line: lineOf(place), field: field(place), expected: words, isUnknown: true });
  }
}

/** The names that an object may have at a place of the file. */
function fieldsAt(path: Path): readonly string[] {
  const last = path.findLast((step) => typeof step === 'string');
  const schemas: Readonly<Record<string, z.ZodObject>> = {
    workspaces: workspace.in,
    brand: subject,
    competitors: subject,
    prompts: prompt.out,
    members: member,
    budget: workspace.in.shape.budget.unwrap(),
  };
  return Object.keys((schemas[last ?? ''] ?? fileSchema).shape);
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object with fields',
};

/** What an issue's value should have been, as the end of "expected ...". */
function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small') return `${issue.minimum} or more`;
  if (issue.code === 'too_big') {
    return issue.origin === 'array' ? `at most ${issue.maximum}` : `${issue.maximum} or less`;
  }
  return issue.message;
}
