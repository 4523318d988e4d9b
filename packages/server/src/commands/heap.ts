import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 trade memory for speed again, for a process that stays. The program begins with the
 * opposite (`bin/overheard.js`): a command that moves a million rows holds few of them at a time.
 */
export function letHeapGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=0');
}
