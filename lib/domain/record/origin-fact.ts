import { type Digest, digestJson } from '../digest/index.ts'
import type { AnyEpisode, ReportedEpisode } from './any-record.ts'
import type { Environment } from './environment.ts'
import type { Episode } from './episode.ts'

/** Machine and programs that made an episode; detects machines, forks and copies mixed into one row. */
export type EpisodeOrigin = {
  /** Version and commit of the harness that sealed it. */
  harness: Pick<Environment['harness'], 'version' | 'commit'>
  /** The machine and the programs that decide or drive on it, by name: a few short texts. */
  machine: Readonly<Record<string, string>>
  /** Tests of the contract: their number, and a digest of those that passed; null = its contract has no tests. */
  tests: { expected: number; passed: Digest } | null
  /** Marks of its content that two real attempts do not share. */
  marks: readonly string[]
}

export function originFact(episode: Episode): EpisodeOrigin {
  const { version, commit } = episode.environment.harness
  return {
    harness: { version, commit },
    machine: describeMachine(episode.environment),
    tests: testsOf(episode),
    marks: listMarks(episode),
  }
}

/** Origin of an attempt in escrow: its harness, and the marks by which copies are found. The machine is unknown. */
export function escrowOrigin(episode: ReportedEpisode): EpisodeOrigin {
  const { name, version, commit } = episode.source.harness
  const harness = { version: [name, version].filter(Boolean).join(' '), commit }
  return { harness, machine: {}, tests: null, marks: listMarks(episode) }
}

/** Digest of a task's test names, in any order, as a contract's assertions carry them. */
export function digestTests(names: readonly string[]): Digest {
  if (last === undefined || !isSameList(last.names, names)) {
    const digest = digestJson(names.map((name) => name.slice(0, 1000)).sort())
    last = { names, digest }
  }
  return last.digest
}

/** Attempts at a task are consecutive, and nearly always pass the same tests. */
let last: { names: readonly string[]; digest: Digest } | undefined

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function describeMachine(environment: Environment): Record<string, string> {
  const { os, arch, kernel, node, bun, browser, isolation } = environment
  const { containerImageDigest: image, verifier, libraries, hostFingerprint } = environment
  const gibibytes = Math.round(environment.memoryBytes / 2 ** 30)
  return {
    system: `${os} ${arch}`,
    kernel,
    runtime: bun === null ? `node ${node}` : `bun ${bun}`,
    machine: `${hostFingerprint.replace('sha256:', '').slice(0, 8)} (${environment.cpuCount} CPUs, ${gibibytes} GiB)`,
    isolation,
    ...(browser ? { browser: `${browser.name} ${browser.version}` } : {}),
    ...(image ? { image: image.slice(0, 'sha256:'.length + 12) } : {}),
    ...(verifier
      ? { verifier: `${verifier.digest.slice(0, 'sha256:'.length + 12)} in ${verifier.sandbox}` }
      : {}),
    ...libraries,
    ...environment.toolchains,
    ...(environment.certificates
      ? { certificates: environment.certificates.slice(0, 'sha256:'.length + 12) }
      : {}),
  }
}

function testsOf({ contract, browser }: Episode): EpisodeOrigin['tests'] {
  if (contract === null || contract.expectedTests === null || browser) return null
  const tests = contract.assertions.find(({ kind }) => kind === 'tests')
  const passed = (tests?.children ?? []).filter(
    ({ kind, verdict }) => kind === 'test' && verdict === 'pass',
  )
  return { expected: contract.expectedTests, passed: digestTests(passed.map(({ label }) => label)) }
}

/** Smaller files may be identical by chance. */
const TELLING_BYTES = 1000
const TELLING_TOKENS = 1000
const TELLING_ROLES: ReadonlySet<string> = new Set(['subject-log', 'events', 'gateway-recording'])

/**
 * Marks: start time, model usage with its duration, and files that contain times and ids. Each includes the task,
 * because two tasks may start in the same millisecond.
 */
function listMarks(episode: AnyEpisode): string[] {
  const { taskId, startedAt, effort, usage, subject, evidence } = episode
  const { input, output } = usage?.tokens ?? { input: null, output: null }
  const used = (input ?? 0) + (output ?? 0)
  const isTelling = subject.modelObserved.length > 0 && used >= TELLING_TOKENS
  const files = evidence.filter(
    ({ role, sizeBytes }) =>
      TELLING_ROLES.has(role) && sizeBytes >= TELLING_BYTES && subject.modelObserved.length > 0,
  )
  const spent = [input, output, usage?.costMicroUsd, effort.steps, effort.wall.subjectMs]
  return [
    mark('at', [taskId, startedAt]),
    ...(isTelling ? [mark('used', [taskId, ...spent])] : []),
    ...files.map(({ digest }) => mark('file', [taskId, digest])),
  ]
}

function mark(kind: string, value: unknown): string {
  return `${kind}:${digestJson(value).slice('sha256:'.length, 'sha256:'.length + 16)}`
}
