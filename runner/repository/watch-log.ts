import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const EVERY_MS = 5000
const MAX_READ_BYTES = 4096
const MAX_LINE = 160

/** Reports the last line of a growing log every five seconds, if it changed. Returns what ends it. */
export function watchLog(path: string, say: ((line: string) => void) | undefined): () => void {
  if (say === undefined) return () => {}
  let before = ''
  const timer = setInterval(() => {
    const line = lastLineOf(path)
    if (line !== '' && line !== before) say(line)
    before = line
  }, EVERY_MS)
  return () => clearInterval(timer)
}

/** Returns the last line with text of a file, without control characters; '' = none. */
export function lastLineOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, MAX_READ_BYTES))
    readSync(file, bytes, 0, bytes.length, size - bytes.length)
    const lines = bytes.toString('utf8').split(/[\r\n]+/)
    const plain = lines.map((line) =>
      stripVTControlCharacters(line)
        .replace(/\p{Cc}/gu, '')
        .trim(),
    )
    return (plain.findLast(Boolean) ?? '').slice(0, MAX_LINE)
  } finally {
    closeSync(file)
  }
}
