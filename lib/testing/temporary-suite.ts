import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = 'exercises/typescript'

/** Puts some of our own exercises as a suite of their own into a data directory. */
export function temporarySuite(dataDir: string, suiteId: string, taskIds: readonly string[]): void {
  const folder = join(dataDir, 'suites', suiteId)
  mkdirSync(folder, { recursive: true })
  const about = JSON.parse(readFileSync(join(SOURCE, 'suite.json'), 'utf8'))
  writeFileSync(join(folder, 'suite.json'), JSON.stringify({ ...about, suiteId, title: suiteId }))
  cpSync(join(SOURCE, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  for (const taskId of taskIds) {
    cpSync(join(SOURCE, taskId), join(folder, taskId), { recursive: true })
  }
}
