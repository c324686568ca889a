import type { RepositoryTask } from '#lib/domain/tasks/index.ts'

/** Command and report format of a repository's tests. */
export type TestRunner = {
  command: string
  format: RepositoryTask['verify']['report']['format']
  setup: string[]
  /** Its own files that no subject may change. */
  protect: string[]
}

/** Placeholder in a verify command for the commit's test files. */
export const TESTS = '{tests}'

/** Reads from a repository: the text of a file at its root, or null. */
export type ReadRoot = (path: string) => string | null
