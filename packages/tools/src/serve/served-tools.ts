import { inputSchema, outputSchema } from '../call/schemas.ts';
import { tools } from '../tools/all-tools.ts';

/** Every tool only reads: it is safe, repeatable, and limited to one workspace's data. */
const hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

let served: ReturnType<typeof makeTools> | undefined;

/**
 * The tools as they are served: the same bytes on every start. Made once, because their schemas
 * take milliseconds, and a server lists them for each host that connects.
 */
export function servedTools() {
  served ??= makeTools();
  return served;
}

function makeTools() {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
    annotations: { title: tool.title, ...hints },
  }));
}
