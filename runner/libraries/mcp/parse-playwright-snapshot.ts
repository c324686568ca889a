import type { RefEntry } from './find-ref.ts'
import { markFrames } from './mark-frames.ts'

const ENTRY = /^(\w+) ?("(?:[^"\\]|\\.)*")?.*?\[ref=(\w+)\]/

/** The entries of a @playwright/mcp snapshot that have a ref: `- button "Save" [ref=e16]`. Others say nothing here. */
export function parsePlaywrightSnapshot(text: string): RefEntry[] {
  const lines = markFrames(text, /^ *- iframe\b/)
  return lines.flatMap(({ line, inFrame }) => {
    const found = ENTRY.exec(keyOf(line))
    if (found === null) return []
    const [, role, quoted, ref = ''] = found
    const name = quoted === undefined ? '' : nameOf(quoted)
    return [{ ref, inFrame, is: (wanted, named) => role === wanted && name === named }]
  })
}

/** YAML quotes a whole key when it holds a colon, a hash or the like; inside, a quote is written twice. */
function keyOf(line: string): string {
  const item = line.trimStart().replace(/^- /, '')
  return item.startsWith("'") ? item.slice(1).replaceAll("''", "'") : item
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}
