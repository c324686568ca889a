import type { Reporter } from './reporter.ts'

/** Every event as one JSON line on stdout, for the program that started us. A closed pipe is no error of ours. */
export function ndjsonReporter(): Reporter {
  process.stdout.on('error', () => {})
  return { on: (event) => process.stdout.write(`${JSON.stringify(event)}\n`), end: () => {} }
}
