import { z } from 'zod';
import { items, text } from '../engines/lenient.ts';

const promptForms = z.union([
  z.string(),
  items(z.object({ text })).transform((parts) => parts.map((each) => each.text).join('')),
]);

const message = z.object({
  role: text,
  content: promptForms.optional(),
  parts: promptForms.optional(),
});

const messages = z.union([
  z.string().transform((content) => [{ role: 'user', content, parts: undefined }]),
  items(message),
]);

/** The body of a request to any engine. Each engine has another name for the question. */
const requestForms = z.object({
  input: messages.optional(),
  inputs: messages.optional(),
  messages: messages.optional(),
  contents: messages.optional(),
});

/** The user's messages in the body of a request, in their order. */
export function askedPrompts(request: unknown): string[] {
  const { data } = requestForms.safeParse(request);
  return Object.values(data ?? {}).flatMap((list) =>
    (list ?? []).flatMap(({ role = 'user', content, parts }) =>
      role === 'user' ? [content ?? parts ?? ''] : [],
    ),
  );
}
