import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { applyPatch, structuredPatch } from 'diff'
import { type Digest, digestJson } from '#lib/domain/digest/index.ts'
import type { ReportedTest } from '#lib/domain/formats/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { saysNoNetwork } from '../../repository/no-network.ts'
import { type Change, digestChanges } from '../../repository/overlay.ts'
import { type BaseSettings, type PreparedBase, prepareBase } from '../../repository/prepare-base.ts'
import { resolveSolution } from '../../repository/resolve-solution.ts'
import { tellingLine } from '../../repository/telling-line.ts'
import type { VerifyRun } from '../../repository/verify-run.ts'
import { readRepositoryTask } from '../read-repository-task.ts'
import type { LoadedRepository } from '../repository-folder.ts'
import { proveRepositories, type RunTests, testRunner } from '../verify/prove-repository.ts'
import type { CandidateResult } from '../verify/verify-task.ts'
import { FallsOut } from './fall-reasons.ts'
import { withTestNames } from './instruct.ts'
import { limitVerify, writeInstruction, writeWrong } from './write-task.ts'

/** Results of proving a mined task besides `proof.json`. */
export type Proven = {
  turned: string[]
  expectedTests: number
  flakyTests: string[]
  wrong: number
  notes: string[]
}

type Options = BaseSettings & {
  /** Number of consecutive runs in which the commit has to be solved. */
  runs: number
  /** Name the tests that turn in the instruction. */
  nameTests: boolean
}

/**
 * Runs the tests on the parent (red) and on the commit (gold), creates wrong variants from its halves, then proves the
 * task like any other. Throws FallsOut with the reason if it cannot be proven.
 */
export async function proveCandidate(
  folder: string,
  given: Options,
  prepare: Prepare,
): Promise<Proven> {
  const options = { ...given, sharesPackages: true }
  let task = await readTask(folder)
  const base = await openBase(task, options, prepare)
  const reference = resolveReference(task, base)
  const run = rememberRuns((changes) => testRunner(task, base, options)(changes))
  options.onStep?.('tests after the commit')
  const gold = await run(reference)
  requirePassing(gold)
  await limitVerify(folder, gold.tookMs)
  task = await readTask(folder)
  options.onStep?.('tests before the commit')
  const turned = findTurned(await run([]), gold)
  if (options.nameTests)
    await writeInstruction(folder, withTestNames(task.task.instruction, turned))
  const notes: string[] = []
  const solved = namesOf(gold, 'passed')
  for (const { name, changes } of halveChanges(reference, (path) => readBase(base, path))) {
    options.onStep?.(`tests with ${name} of the commit alone`)
    const passed = new Set(namesOf(await run(changes), 'passed'))
    if (solved.every((test) => passed.has(test))) notes.push(undetected(name))
    else await writeWrong(folder, name, changes)
  }
  notes.push(...(await proveAtLast(folder, { ...options, earlier: { base, runTests: run } })))
  return { ...(await countProven(folder, turned, options)), notes }
}

/** Runs the tests once for the same changes: what was found before the proof is part of it. */
function rememberRuns(run: RunTests): RunTests {
  const known = new Map<Digest, Promise<VerifyRun>>()
  return (changes) => {
    const key = digestJson(digestChanges(changes))
    const found = known.get(key) ?? run(changes)
    known.set(key, found)
    return found
  }
}

const undetected = (half: string) => `its tests pass with ${half} alone`

async function readTask(folder: string): Promise<LoadedRepository> {
  return readRepositoryTask(folder).catch((error: Error) => {
    throw new FallsOut('unusable', oneLine(error.message))
  })
}

/** Calls `make` with the base whose installed files it starts from. */
export type Prepare = (
  make: (seed: PreparedBase | null) => Promise<PreparedBase>,
) => Promise<PreparedBase>

async function openBase(
  task: LoadedRepository,
  options: Options,
  prepare: Prepare,
): Promise<PreparedBase> {
  return prepare((seed) => prepareBase(task, { ...options, seed })).catch((error: Error) => {
    if (options.signal.aborted) throw error
    const message = oneLine(error.message)
    if (!message.includes('the setup command')) throw new FallsOut('unusable', message)
    throw new FallsOut(saysNoNetwork(message) ? 'needs-network' : 'setup-fails', message)
  })
}

function resolveReference(task: LoadedRepository, base: PreparedBase): readonly Change[] {
  if (task.reference === null) throw new FallsOut('unusable', 'its solution is empty')
  try {
    return resolveSolution(task.reference, base.folder)
  } catch (error) {
    throw new FallsOut('unusable', (error as Error).message)
  }
}

function readBase(base: PreparedBase, path: string): Buffer | null {
  const isFile = base.entries.some((entry) => entry.path === path && entry.kind === 'file')
  return isFile ? readFileSync(join(base.folder, path)) : null
}

function requirePassing(gold: VerifyRun): void {
  if (namesOf(gold, 'passed').length > 0) return
  const problem = gold.report.ok ? 'no test passes' : (gold.report.problems[0]?.message ?? '')
  const message = `${problem}${tellingLine(gold.log)}`
  const how = gold.ending.cause === 'timeout' ? 'the verify command did not end in time' : message
  throw new FallsOut(saysNoNetwork(gold.log) ? 'needs-network' : 'none-passes', how)
}

/** Returns the tests that pass with the commit and did not before it. */
function findTurned(red: VerifyRun, gold: VerifyRun): string[] {
  const after = namesOf(gold, 'passed')
  const before = new Set(namesOf(red, 'passed'))
  const turned = after.filter((name) => !before.has(name))
  if (turned.length > 0) return turned
  const failed = gold.report.ok ? gold.report.value.filter(isFailed) : []
  if (failed.length > 0)
    throw new FallsOut('not-green', `${failed.length} of its tests fail before and after it`)
  throw new FallsOut(
    'not-red',
    `all ${countOf(after.length, 'test passes', 'tests pass')} before it`,
  )
}

const isFailed = ({ status }: ReportedTest) => status === 'failed' || status === 'error'

/** Returns each name whose tests all ended like this. */
function namesOf({ report }: VerifyRun, status: ReportedTest['status']): string[] {
  if (!report.ok) return []
  const others = new Set(
    report.value.filter((test) => test.status !== status).map(({ name }) => name),
  )
  return [...new Set(report.value.map(({ name }) => name))].filter((name) => !others.has(name))
}

/**
 * Proves the task. A half of the change that is solved is not a wrong variant: it is removed, recorded as undetected by
 * the tests, and the proof is repeated.
 */
async function proveAtLast(
  folder: string,
  options: Options & { earlier: { base: PreparedBase; runTests: RunTests } },
): Promise<string[]> {
  const draft = await readTask(folder)
  const proof = await proveRepositories([draft], { ...options, concurrency: 1, onTask: () => {} })
  const solved = proof.deviations.filter((one) => one.candidate.startsWith('wrong/') && one.solved)
  const other = proof.deviations.find((one) => !solved.includes(one))
  if (other) throw describeDeviation(other)
  if (solved.length === 0) return []
  for (const { candidate } of solved) await rm(join(folder, candidate), { recursive: true })
  const notes = solved.map(({ candidate }) => undetected(candidate.slice('wrong/'.length)))
  return [...notes, ...(await proveAtLast(folder, options))]
}

async function countProven(
  folder: string,
  turned: readonly string[],
  options: Options,
): Promise<Omit<Proven, 'notes'>> {
  const { task, wrong } = await readTask(folder)
  const expected = new Set(task.expectedTests)
  const proven = turned.filter((name) => expected.has(name))
  const flakyTests = task.flakyTests.map(({ name }) => name)
  if (proven.length === 0)
    throw new FallsOut(
      'flaky',
      `of ${turned.length} that turn none passes ${countOf(options.runs, 'time')}`,
    )
  return {
    turned: proven,
    expectedTests: task.expectedTests.length,
    flakyTests,
    wrong: wrong.length,
  }
}

/** Doing nothing was red before: if it is solved now, the former failures pass by chance, or have other names. */
function describeDeviation({ candidate, deviates, observed }: CandidateResult): FallsOut {
  const isFlaky = candidate === 'nop' || deviates?.includes('passes no test every time') === true
  const message = oneLine(`${candidate}: ${deviates} (${observed})`)
  return new FallsOut(isFlaky ? 'flaky' : 'not-proven', message)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A reference without one half. */
type Half = { name: string; changes: Change[] }

/**
 * Returns a reference's halves: of its files, or of the hunks of its only file. None for a single hunk: its absence is
 * what an empty attempt tests.
 */
export function halveChanges(
  reference: readonly Change[],
  before: (path: string) => Buffer | null,
): Half[] {
  if (reference.length > 1) {
    const middle = Math.ceil(reference.length / 2)
    return [
      { name: 'first-files', changes: reference.slice(0, middle) },
      { name: 'last-files', changes: reference.slice(middle) },
    ]
  }
  const [only] = reference
  const was = only && before(only.path)?.toString('utf8')
  return only?.bytes && was !== undefined ? halveHunks(only, only.bytes.toString('utf8'), was) : []
}

function halveHunks(change: Change, text: string, was: string): Half[] {
  const whole = structuredPatch(change.path, change.path, was, text)
  if (whole.hunks.length < 2) return []
  const middle = Math.ceil(whole.hunks.length / 2)
  const parts = [
    { name: 'first-hunks', hunks: whole.hunks.slice(0, middle) },
    { name: 'last-hunks', hunks: whole.hunks.slice(middle) },
  ]
  return parts.flatMap(({ name, hunks }): Half[] => {
    const half = applyPatch(was, { ...whole, hunks })
    return half === false ? [] : [{ name, changes: [{ ...change, bytes: Buffer.from(half) }] }]
  })
}
