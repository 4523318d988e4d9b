import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** It doubles until it has these: it ends with less than twice as many. */
const bytesEnough = 8 * 1024 * 1024;

/**
 * Lets V8's space for young objects grow, for a process that stays, and stops it in time: with the
 * small one that suits commands (`bin/overheard.js`) a server spends half of its time on collecting;
 * left alone it becomes four times as large and saves little more.
 */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    if (youngSpaceBytes() < bytesEnough) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * For a command that makes much, keeps little of it and ends: V8 collects old objects sooner, and young
 * ones on one thread, since several wait for each other longer than they save with so few.
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--no-parallel-scavenge');
}

function youngSpaceBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
