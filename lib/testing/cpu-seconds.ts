import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { treeCpuMs } from '../setup/test/cpu-time.mjs'

// Runs before each test file: writes down for `npm test` what the file cost, with what it imports and starts. A file
// that waits for a busy machine takes longer; the time of processors hardly changes. That it began comes first: a file that
// never ends is known by it.

const { PROOFBOARD_TEST_FOLDER: folder } = process.env
if (folder !== undefined) {
  const before = treeCpuMs()
  const note = (more: object) => {
    const line = JSON.stringify({ name: expect.getState().testPath, ...more })
    appendFileSync(join(folder, 'cpu.jsonl'), `${line}\n`)
  }
  beforeAll(() => note({}))
  afterAll(() => {
    const after = treeCpuMs()
    note({ cpuMs: before === null || after === null ? null : after - before })
  })
}
