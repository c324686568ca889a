import { closeSync, readSync } from 'node:fs'

export type ChildFile = { path: string; code: string; role: ChildRole }
export type ChildRole = 'solution' | 'test' | 'support' | 'scenario'

/** Input of one test process, over a pipe that is closed before any solution code loads. */
export type ChildInput = {
  nonce: string
  seed: string
  files: ChildFile[]
  /** Seeds for the scenario file, played after the tests; none without such a file. */
  scenarioSeeds: string[]
  onlyFirstTest: boolean
  probe: boolean
  deadlineMs: number
}

/** Work arrives as `<bytes> <1 if more will follow>\n` and that many bytes of JSON. */
export type Work = { input: ChildInput; moreToCome: boolean }

/**
 * Blocks until the runner sends work. Null if the pipe closes without any: the runner is gone or no longer needs this
 * process. The pipe is closed before any solution runs; only a process that never sees one keeps it. The bytes are
 * overwritten, since a Buffer's memory can be reused.
 */
export function readWork(fd: number): Work | null {
  const [size = 0, more] = readLine(fd).split(' ').map(Number)
  const bytes = size > 0 ? readBytes(fd, size) : null
  const moreToCome = more === 1
  if (!moreToCome) closeSync(fd)
  if (bytes === null) return null
  const input = JSON.parse(bytes.toString('utf8')) as ChildInput
  bytes.fill(0)
  return { input, moreToCome }
}

function readLine(fd: number): string {
  const one = Buffer.alloc(1)
  let line = ''
  while (readSync(fd, one, 0, 1, null) === 1 && one[0] !== 10) line += one.toString('latin1')
  return line
}

function readBytes(fd: number, size: number): Buffer | null {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; ) {
    const got = readSync(fd, bytes, at, size - at, null)
    if (got === 0) return null
    at += got
  }
  return bytes
}
