import { showProgress } from '#lib/setup/progress.mjs'
import { writeError } from './output.ts'

/** Shows what a long command does, between its lines. */
export type Steps = {
  /** Replaces the current step. */
  step: (what: string) => void
  /** Prints a line that stays. */
  line: (text: string) => void
  end: () => void
}

const CLEAR = '\r\u001b[2K'

/** In a terminal the last line is the current step; elsewhere it is printed every 30 seconds. */
export function showSteps(label: string): Steps {
  const progress = showProgress(label)
  return {
    step: progress.note,
    line: (text) => writeError(`${process.stderr.isTTY ? CLEAR : ''}${text}`),
    end: progress.stop,
  }
}
