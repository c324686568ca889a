import {
  type Candidate,
  type Commit,
  chooseCandidate,
  countLines,
  type Sieve,
} from './choose-candidate.ts'
import { type Fall, fall } from './fall-reasons.ts'
import { instructionFrom } from './instruct.ts'

/** A commit that may become a task. */
export type Work = { commit: Commit; candidate: Candidate }

/** Result of the checks that need only the log, which reject most commits. */
export type Sifted = { work: Work[]; fallen: { commit: Commit; fall: Fall }[] }

/** Splits commits into candidates, most promising first, and those that yield no task. */
export function siftCommits(
  commits: readonly Commit[],
  { sieve, nameTests }: { sieve: Sieve; nameTests: boolean },
): Sifted {
  const sifted: Sifted = { work: [], fallen: [] }
  for (const commit of commits) {
    const candidate = chooseCandidate(commit, sieve)
    const found = 'code' in candidate || nameTests ? candidate : requireMessage(commit, candidate)
    if ('code' in found) sifted.fallen.push({ commit, fall: found })
    else sifted.work.push({ commit, candidate: found })
  }
  return { ...sifted, work: orderWork(sifted.work) }
}

/** The message of a merge is completed later, by what it brings. */
function requireMessage(commit: Commit, candidate: Candidate): Candidate | Fall {
  const isMerge = commit.parents.length > 1
  return isMerge || instructionFrom(commit.message) !== null ? candidate : emptyMessage(commit)
}

export const emptyMessage = (commit: Commit) =>
  fall('message-empty', subjectOf(commit).slice(0, 80))

export const subjectOf = ({ message }: Commit) => message.trim().split('\n')[0] ?? ''

/** This many candidates further back in history weigh as much as one doubt about a newer one. */
const AGE = 25

/** Orders by doubts and age: the older a commit, the less its packages fit this machine's programs. */
function orderWork(work: readonly Work[]): Work[] {
  const ranked = work.map((one, at) => ({ one, rank: countDoubts(one) + at / AGE }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
}

const PROGRAM = /\.([cm]?[jt]sx?|py|go)$/
const UNLIKELY = new Set(['refactoring', 'tests', 'build', 'documentation'])
const MANY_LINES = 150
const MANY_TESTS = 4

/** Counts the reasons to expect no task, or a long trial. */
function countDoubts({ commit, candidate: { judged, run, solution } }: Work): number {
  const category = instructionFrom(commit.message)?.category ?? 'change'
  const hasPrograms = solution.some(({ path }) => PROGRAM.test(path))
  const steers =
    judged.length > run.length &&
    judged.some(({ path }) => /(^|\/)[^/]*\.(json|toml|cfg)$/.test(path))
  return [
    UNLIKELY.has(category),
    !hasPrograms,
    !hasPrograms,
    steers,
    countLines(solution) > MANY_LINES,
    run.length > MANY_TESTS,
  ].filter(Boolean).length
}
