import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SuiteFile } from '../suites/suite-file.ts'
import { BROWSER } from './browser/browser.ts'
import { EXERCISE } from './exercise/exercise.ts'
import { EXTRA_KINDS } from './extra-kinds.ts'
import type { Kind } from './kind.ts'
import { REPOSITORY } from './repository/repository.ts'

/**
 * Every kind of suites. A new kind is a folder beside this file, and its name here; an example is in
 * lib/testing/fixtures/fifth-kind.
 */
const KINDS: readonly Kind[] = [EXERCISE, BROWSER, REPOSITORY, ...EXTRA_KINDS]

/** Names of all kinds. */
export const KIND_NAMES: readonly string[] = KINDS.map(({ name }) => name)

/** Returns the kind of this name; null = there is none. */
export function findKind(name: string): Kind | null {
  return KINDS.find((kind) => kind.name === name) ?? null
}

/** Describes a folder without a `suite.json` whose content is a suite; null = it is none. */
export function describeFolder(folder: string): SuiteFile | null {
  if (existsSync(join(folder, 'suite.json'))) return null
  for (const kind of KINDS) {
    const described = kind.describeFolder?.(folder) ?? null
    if (described !== null) return described
  }
  return null
}

/** True for a folder that has a `suite.json`, or whose content is a suite. */
export function isSuiteFolder(folder: string): boolean {
  return existsSync(join(folder, 'suite.json')) || describeFolder(folder) !== null
}

/** Explains why a folder is nearly a suite, as the end of a sentence; null = it is not. */
export function explainFolder(folder: string): string | null {
  return (
    KINDS.map((kind) => kind.explainFolder?.(folder) ?? null).find((why) => why !== null) ?? null
  )
}
