import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = 'exercises/typescript'

/**
 * Puts some of our own exercises as a suite of their own into a data directory. With a limit of its own in ms, tests
 * of solutions that never end take less time.
 */
export function temporarySuite(
  dataDir: string,
  suiteId: string,
  taskIds: readonly string[],
  verifyTimeoutMs?: number,
): void {
  const folder = join(dataDir, 'suites', suiteId)
  mkdirSync(folder, { recursive: true })
  const about = JSON.parse(readFileSync(join(SOURCE, 'suite.json'), 'utf8'))
  writeFileSync(join(folder, 'suite.json'), JSON.stringify({ ...about, suiteId, title: suiteId }))
  cpSync(join(SOURCE, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  for (const taskId of taskIds) {
    cpSync(join(SOURCE, taskId), join(folder, taskId), { recursive: true })
    if (verifyTimeoutMs !== undefined) limitVerifier(join(folder, taskId), verifyTimeoutMs)
  }
}

function limitVerifier(task: string, verifyTimeoutMs: number): void {
  const path = join(task, '.meta', 'config.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  config.custom.proofboard.verifyTimeoutMs = verifyTimeoutMs
  writeFileSync(path, JSON.stringify(config))
}
