import type { RunnerEnding } from './spawn-runner.ts'

/** The runner did not do what it was asked. Final = asking again would give the same answer. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly isFinal: boolean
  /** Ended from outside: by somebody, or by a machine that had no memory left. */
  readonly isKilled: boolean

  constructor({ exitCode, signal, lastWords }: RunnerEnding) {
    const ended = signal
      ? `the runner was ended by ${signal}`
      : `the runner ended with exit code ${exitCode}`
    // Whoever is killed says nothing about it: its last words were about something else.
    super(signal ? ended : lastWords || ended)
    this.isFinal = exitCode === 2
    this.isKilled = signal !== null
  }
}
