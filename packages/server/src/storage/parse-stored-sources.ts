import { z } from 'zod';

const storedSources = z.array(z.object({ url: z.string(), title: z.string().exactOptional() }));

/** Parses the sources of a stored answer. */
export function parseStoredSources(sources: string): z.infer<typeof storedSources> {
  return storedSources.parse(JSON.parse(sources));
}
