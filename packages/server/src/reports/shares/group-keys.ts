import type { ShareGrouping } from '@overheard/contract';
import type { TagsByPrompt } from '../../storage/prompt-tags.ts';
import type { PromptName } from '../known-names.ts';
import type { KeysOf } from './tally.ts';

/**
 * The groups in which a prompt's answers on an engine count. The key of a tag or a topic is its name,
 * and empty for prompts without one; days and weeks are one group each.
 */
export function groupKeys(
  by: ShareGrouping,
  { prompts, tags }: { prompts: ReadonlyMap<string, PromptName>; tags: TagsByPrompt },
): KeysOf {
  if (by === 'engine') return (_, engine) => [engine];
  if (by === 'prompt') return (id) => [id];
  if (by === 'locale') return (id) => [prompts.get(id)?.locale ?? ''];
  if (by !== 'tag' && by !== 'topic') return () => [''];
  return (id) => {
    const own = [...(tags.get(id) ?? [])].filter(([, isTopic]) => by === 'tag' || isTopic);
    return own.length === 0 ? [''] : own.map(([tag]) => tag);
  };
}
