import type { HeldOutReport } from './gate-types.ts'

const MOST_SHOWN = 1_000
const NOTHING = '(nothing more)'

type Transcripts = readonly (readonly string[])[]

/** Compares what a solution let be observed with what the reference did, seed by seed, to the letter. */
export function compareTranscripts(
  seeds: readonly string[],
  { solution, reference }: { solution: Transcripts; reference: Transcripts },
): HeldOutReport {
  const observations = reference.reduce((sum, entries) => sum + entries.length, 0)
  const differences = seeds.flatMap((seed, round) => {
    const found = firstDifference(solution[round] ?? [], reference[round] ?? [])
    return found ? [{ seed, ...found }] : []
  })
  // Without an observation of the reference there is nothing that could agree.
  const whole = seeds.length > 0 && seeds.every((_, round) => (reference[round] ?? []).length > 0)
  const [difference = null] = differences
  return { seeds: [...seeds], observations, agreed: whole && difference === null, difference }
}

function firstDifference(
  observed: readonly string[],
  expected: readonly string[],
): { expected: string; observed: string } | null {
  const longest = Math.max(observed.length, expected.length)
  for (let index = 0; index < longest; index++) {
    if (observed[index] === expected[index]) continue
    return { expected: shown(expected[index]), observed: shown(observed[index]) }
  }
  return null
}

const shown = (entry: string | undefined): string => (entry ?? NOTHING).slice(0, MOST_SHOWN)
