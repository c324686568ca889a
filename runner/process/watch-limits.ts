import { setTimeout as sleep } from 'node:timers/promises'
import { folderSize } from './folder-size.ts'
import type { ProcessTree } from './process-tree.ts'

export type Breach = 'disk' | 'processes'

const LOOK_EVERY_MS = 250

/**
 * Looks at a running tree four times a second and answers with the first limit it breaks; never answers when `stop`
 * comes first. The looks also teach the tree its members before they can hide.
 */
export async function watchLimits(
  tree: ProcessTree,
  limits: { folder: string; diskQuotaBytes: number; maxProcesses: number },
  stop: AbortSignal,
): Promise<Breach> {
  for (let wait = 25; ; wait = LOOK_EVERY_MS) {
    await sleep(wait, undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) return new Promise<never>(() => {})
    if (tree.look().length > limits.maxProcesses) return 'processes'
    if ((await folderSize(limits.folder, limits.diskQuotaBytes)) > limits.diskQuotaBytes)
      return 'disk'
  }
}
