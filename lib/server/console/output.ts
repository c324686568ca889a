import { countOf, formatBytes, plainText } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'

/** Prints the command's result; stdout is for results, stderr for notes and errors. */
export function printText(text: string): void {
  process.stdout.write(`${plainText(text)}\n`)
}

/** Prints the last line of stdout under `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

export function printError(text: string): void {
  process.stderr.write(`${text.split('\n').map(plainText).join('\n')}\n`)
}

/** `3 files, 1.5 kB`. */
export function describeFiles(files: number, bytes: number): string {
  return `${countOf(files, 'file')}, ${formatBytes(bytes)}`
}

const MAX_PROBLEMS = 50

/** Prints the problems that a check found, one line each, up to a limit. */
export function printProblems(problems: readonly { place: string; problem: string }[]): void {
  for (const { place, problem } of problems.slice(0, MAX_PROBLEMS))
    printError(`${place}: ${problem}`)
  const more = problems.length - MAX_PROBLEMS
  if (more > 0) printError(`… and ${more} more: --json lists all`)
}

/** Prints the number of evidence files that are absent and not expected. */
export function printElsewhere(files: number): void {
  if (files > 0)
    printError(
      `${countOf(files, 'evidence file')} not in this data folder: left out of a restored backup, or on another machine`,
    )
}

const MAX_PASSWORD_BYTES = 4096

/** Reads the password from the first line of stdin. Never an argument: other users of the machine can read those. */
export async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) {
    process.stderr.write('password (shown as you type; or pipe it in): ')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk)
    chunks.push(piece)
    bytes += piece.length
    if (bytes > MAX_PASSWORD_BYTES || piece.includes('\n')) break
  }
  process.stdin.destroy()
  const line = Buffer.concat(chunks).toString('utf8').split('\n')[0]?.replace(/\r$/, '') ?? ''
  if (line !== '') return line
  throw new AppError('invalid-request', 'pass the password on stdin: nothing was changed')
}
