import { writeSync } from 'node:fs'

const { stringify } = JSON
const write = writeSync

/** Values that go into a record: primitives only, so that no method of theirs is ever looked up. */
export type RecordFields = readonly (readonly [
  key: string,
  value: string | number | boolean | null,
])[]

export type ReportWriter = (kind: string, fields: RecordFields) => void

/**
 * Writes one JSON line for each record to the private pipe, each with the nonce. Built by string concatenation with
 * functions captured before the solution loads; `stringify` is given nothing but primitives.
 */
export function createReportWriter(fd: number, nonce: string): ReportWriter {
  const prefix = `{"nonce":${stringify(nonce)},"kind":`
  return (kind, fields) => {
    let line = prefix + stringify(kind)
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]
      if (field) line += `,${stringify(field[0])}:${stringify(field[1])}`
    }
    write(fd, `${line}}\n`)
  }
}

/** The first line of every report: the sandbox stands and waits for work. Nothing hostile has been read yet. */
export function sayReady(fd: number): void {
  try {
    write(fd, '{"kind":"ready"}\n')
  } catch {
    // Without a runner at the other end there will be no work either.
  }
}
