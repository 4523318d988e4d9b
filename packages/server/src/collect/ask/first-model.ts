import { z } from 'zod';
import { readUpTo } from '../../values/read-up-to.ts';
import { createEngineFetch } from './engine-fetch.ts';

const patienceMs = 5000;
const bytesMax = 1024 * 1024;
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });

/**
 * The first model that a server lists at `/models`, as servers of Chat Completions do. Undefined if it lists
 * none, or cannot be read within 5 seconds.
 */
export async function readFirstModel(
  baseUrl: string,
  { key }: { key: string },
): Promise<string | undefined> {
  try {
    const response = await createEngineFetch({ mayReachPrivate: true })(`${baseUrl}/models`, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = (await readUpTo(response.body, bytesMax)).toString();
    return modelsSchema.parse(JSON.parse(text)).data[0]?.id;
  } catch {
    return undefined;
  }
}
