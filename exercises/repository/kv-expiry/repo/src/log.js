import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Reads the records of a log; a last line without an end was cut off by a crash and is left out. */
export function readLog(path) {
  if (!existsSync(path)) return []
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  lines.pop()
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** Appends one record. */
export function appendLog(path, record) {
  appendFileSync(path, `${JSON.stringify(record)}\n`)
}

/** Replaces the whole log at once. */
export function replaceLog(path, records) {
  const draft = `${path}.draft`
  writeFileSync(draft, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  renameSync(draft, path)
}
