// @ts-check
import { formatSeconds } from './format-seconds.mjs'

/**
 * Runs one step of the set-up and says how long it took, or that there was nothing to do.
 * @param {string} label
 * @param {() => Promise<boolean>} work whether anything was done
 * @param {(line: string) => void} say
 */
export async function timeStep(label, work, say) {
  const startedAt = performance.now()
  const did = await work()
  say(`  ${label.padEnd(18)} ${did ? formatSeconds(performance.now() - startedAt) : 'up to date'}`)
}
