import { hash, randomBytes } from 'node:crypto';

/**
 * A new id for something that a person creates: UUID v7 (RFC 9562, section 5.7), lower-case. Ids
 * sort by the millisecond of their creation, and randomly within it.
 */
export function newId(clock: () => number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(clock())), 0, 6);
  return formatUuid(bytes.toString('hex'), 7);
}

/** The namespace of our content ids: a v4 UUID, drawn once. */
const namespace = Buffer.from('5b0f3d0c8f2e4c1ab6a7d1e94c7f2a63', 'hex');

/**
 * The id of imported data, derived from its content: UUID v5 (RFC 9562, section 5.5). So the order,
 * the split and repeats of an import make no difference. The parts are joined as JSON, so that two
 * different lists never give the same text.
 */
export function contentId(
  kind: string,
  parts: ReadonlyArray<string | number | boolean | null>,
): string {
  const name = JSON.stringify([kind, ...parts]);
  const bytes = Buffer.allocUnsafe(namespace.length + Buffer.byteLength(name));
  namespace.copy(bytes);
  bytes.write(name, namespace.length);
  // Text is faster than bytes here, and a large import makes a million ids.
  return formatUuid(hash('sha1', bytes, 'hex'), 5);
}

/**
 * A prompt's id, which is the same however the prompt arrives. Language and locale must be
 * canonical.
 */
export function promptId({
  text,
  language,
  locale,
}: {
  text: string;
  language: string;
  locale: string;
}): string {
  return contentId('prompt', [text.normalize('NFC').trim(), language, locale]);
}

/**
 * The cohort of an imported run. Only figures of the same cohort are compared. It uses every
 * imported fact that could explain a difference between answers.
 */
export function importedCohort({
  engine,
  model,
  locale,
}: {
  engine: string;
  model: string | null;
  locale: string;
}): string {
  return contentId('cohort', [engine, model, locale]);
}

/** Makes a UUID of the first 32 hexadecimal digits, and sets the bits of version and variant. */
export function formatUuid(digits: string, version: 5 | 7): string {
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${version}${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
