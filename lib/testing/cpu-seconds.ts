import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { treeCpuMs } from '../setup/test/cpu-time.mjs'

// Runs before each test file: writes down for `npm test` what the file cost, with what it imports and starts. A file
// that waits for a busy machine takes longer; the time of processors hardly changes.

const { PROOFBOARD_TEST_FOLDER: folder } = process.env
if (folder !== undefined) {
  const before = treeCpuMs()
  afterAll(() => {
    const after = treeCpuMs()
    if (before === null || after === null) return
    const line = JSON.stringify({ name: expect.getState().testPath, cpuMs: after - before })
    appendFileSync(join(folder, 'cpu.jsonl'), `${line}\n`)
  })
}
