import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Lets V8's space for young objects grow, for a process that stays, and stops it at `bytesMax`: with
 * the small one that suits commands (`bin/overheard.js`) a server spends half of its time on
 * collecting; left alone it becomes larger and saves little more.
 */
export function letYoungSpaceGrow({
  bytesMax = 16 * 1024 * 1024,
}: { bytesMax?: number } = {}): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    if (youngSpaceBytes() < bytesMax) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function youngSpaceBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
