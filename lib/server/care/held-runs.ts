import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isSilent } from '#lib/setup/host.mjs'
import { env } from '../../env.ts'
import { locateProcess } from '../../processes/is-process-alive.ts'

/** Returns a check whether a run is active, cached per run. */
export function rememberHeld(unended: ReadonlySet<string>): (runId: string) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (runId) => {
    const held = known.get(runId) ?? (unended.has(runId) || (await isRunning(runId)))
    known.set(runId, held)
    return held
  }
}

/** Returns whether a runner works in the folder of a run, also one started by hand or on another machine. */
export async function isRunning(runId: string): Promise<boolean> {
  const file = join(env().runsDir, runId, 'runner.pid')
  const [pid, , host] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ')
  const found = locateProcess(Number(pid), host)
  return found === 'elsewhere' ? !isSilent(file) : found === 'alive'
}
