import { closeSync, readSync } from 'node:fs'

export type ChildFile = { path: string; code: string; role: ChildRole }
export type ChildRole = 'solution' | 'test' | 'support' | 'scenario'

/** What the runner hands to one test process, over a pipe that is closed before any solution code loads. */
export type ChildInput = {
  nonce: string
  seed: string
  files: ChildFile[]
  /** Seeds to play the scenario file with, after the tests; none without such a file. */
  scenarioSeeds: string[]
  onlyFirstTest: boolean
  probe: boolean
  deadlineMs: number
}

/**
 * Blocks until the runner hands over the work. Null when the pipe closes without any: the runner is gone or no
 * longer needs this prewarmed process. The bytes are wiped, since a Buffer's memory can be handed out again.
 */
export function readInput(fd: number): ChildInput | null {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.alloc(65_536)
    const size = readSync(fd, chunk, 0, chunk.length, null)
    if (size === 0) break
    chunks.push(chunk.subarray(0, size))
  }
  closeSync(fd)
  const whole = Buffer.concat(chunks)
  const text = whole.toString('utf8')
  for (const chunk of [...chunks, whole]) chunk.fill(0)
  return text.endsWith('\n') ? (JSON.parse(text) as ChildInput) : null
}
