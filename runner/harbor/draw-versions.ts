import { readTestRun } from '#lib/domain/formats/index.ts'
import { findAlterable } from '../repository/alter-tests.ts'
import { chanceOf, runsFor } from '../repository/guess.ts'
import type { Change } from '../repository/overlay.ts'
import type { LoadedHarbor } from './harbor-folder.ts'
import type { VerifierRun } from './place.ts'

/** Names that a verifier reports as passed, with repetitions. */
export function passedIn({ ctrf }: Pick<VerifierRun, 'ctrf'>): string[] {
  const run = ctrf === null ? null : readTestRun('ctrf', ctrf)
  if (run === null || !run.ok) return []
  const failed = new Set(run.value.filter((one) => one.status !== 'passed').map(({ name }) => name))
  return [...new Set(run.value.map(({ name }) => name))].filter((name) => !failed.has(name))
}

/** One run: files that replace the task's tests, and the names that must pass and must not pass. */
export type HarborVersion = {
  tests: Change[]
  isChanged: boolean
  passing: string[]
  failing: string[]
}

/** Draws versions of the tests for one attempt. `guess` = probability of passing all of them by guessing. */
export function drawHarborVersions({ tests, altered }: Pick<LoadedHarbor, 'tests' | 'altered'>): {
  versions: HarborVersion[]
  guess: number
} {
  const alterable = findAlterable(tests)
  const chosen = alterable.tests.flatMap(({ path, at, values }, index) => {
    const known = altered.find((one) => one.path === path && one.at === at)
    return known ? [{ index, values, names: known.names }] : []
  })
  const runs = runsFor(chosen.map(({ values }) => values))
  const drawn = alterable.draw(runs, new Set(chosen.map(({ index }) => index)))
  const namesIn = (version: number, isChanged: boolean) =>
    chosen
      .filter(({ index }) => drawn.changed[index]?.[version] === isChanged)
      .flatMap(({ names }) => names)
  return {
    versions: drawn.versions.map((files, version) => ({
      tests: files,
      isChanged: chosen.some(({ index }) => drawn.changed[index]?.[version]),
      passing: namesIn(version, false),
      failing: namesIn(version, true),
    })),
    guess: chanceOf(chosen.map(({ index }) => drawn.choices[index] ?? 1)),
  }
}
