/** The command's answer; stdout belongs to answers, stderr to notes and complaints. */
export function answer(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The last line of stdout under `--json`. */
export function answerJson(value: unknown): void {
  answer(JSON.stringify(value))
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}
