import type { BrowserActions } from './action-surface.ts'

/** Facts from the instruction, and notes taken during the work. */
export type Facts = {
  /** The app's address, without a trailing slash. */
  origin: string
  /** The task's own files by their relative path, as absolute paths. */
  files: Readonly<Record<string, string>>
  /** Values that earlier steps read from a page. */
  notes: Map<string, string>
}

type Act = (page: BrowserActions, facts: Facts) => Promise<void>

/** A step of a driver, the unit that is repeated after a failure. */
export type DriverStep = {
  name: string
  run: Act
  /**
   * For a step that must not be done twice: checks, as a user would, whether it has already happened. Called before the
   * step is retried; true = continue after it.
   */
  done?: (page: BrowserActions, facts: Facts) => Promise<boolean>
  /** It starts with its own URL (and signs in if necessary), so that work can resume here on a new page. */
  checkpoint?: true
}

/**
 * `exercises/browser/<task>/driver.ts`: how a person would do the task, using only the action surface, the same for
 * every library. It knows the instruction and what the pages show; it has no fixed sleeps, and besides the task's start
 * no URL that no page links to. `wrong` are plausible ways to fail, which the contract has to reject: the suite's
 * self-test.
 */
export type Driver = {
  steps: readonly DriverStep[]
  wrong: Readonly<Record<string, readonly DriverStep[]>>
}
