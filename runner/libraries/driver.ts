import type { BrowserActions } from './action-surface.ts'

/** What a user who was given the instruction knows, and notes on the way. */
export type Facts = {
  /** The app's address, without a slash at its end. */
  origin: string
  /** The task's own files by their relative path, as absolute paths. */
  files: Readonly<Record<string, string>>
  /** What earlier steps read off a page. */
  notes: Map<string, string>
}

type Act = (page: BrowserActions, facts: Facts) => Promise<void>

/** A step of a driver; steps are what is repeated after a failure. */
export type DriverStep = {
  name: string
  run: Act
  /**
   * For a step that must not be done twice: looks, as a user would, whether it has already happened. Asked before the
   * step is tried again; true = continue behind it.
   */
  done?: (page: BrowserActions, facts: Facts) => Promise<boolean>
  /** It starts with an address of its own (and signs in where it must), so that work can be taken up here on a new page. */
  checkpoint?: true
}

/**
 * `exercises/browser/<task>/driver.ts`: how a person would do the task, over the action surface alone, the same for
 * every library. It knows the instruction and what the pages show; no fixed sleeps, no address that no page links to
 * beside the task's start. `wrong` are plausible ways to fail, which the contract has to refuse: the suite's self-test.
 */
export type Driver = {
  steps: readonly DriverStep[]
  wrong: Readonly<Record<string, readonly DriverStep[]>>
}
