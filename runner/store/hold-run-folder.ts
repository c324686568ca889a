import { open, readFile, rm } from 'node:fs/promises'
import { identifyProcess, isSameAlive } from '../process/identify-process.ts'

/** Raised when another living runner works in the folder. */
export class FolderHeldError extends Error {}

/**
 * Takes the run's folder for this process: two runners in one folder would run the same slots twice. A holder that was
 * killed leaves its file behind; it counts only while its process lives (pid and start time, as pids are used again).
 */
export async function holdRunFolder(holderPath: string): Promise<() => Promise<void>> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = await open(holderPath, 'wx')
      await file.writeFile(`${identifyProcess(process.pid).replace('@', ' ')}\n`)
      await file.close()
      return () => rm(holderPath, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await dropStale(holderPath)
    }
  }
  throw new FolderHeldError(
    `another runner works in this folder (${holderPath}): wait for it or choose another --out`,
  )
}

async function dropStale(holderPath: string): Promise<void> {
  const text = await readFile(holderPath, 'utf8').catch(() => '')
  const [pid, started] = text.trim().split(' ')
  if (pid && isSameAlive(`${pid}@${started}`)) {
    throw new FolderHeldError(
      `runner ${pid} works in this folder: wait for it or choose another --out`,
    )
  }
  await rm(holderPath, { force: true })
}
