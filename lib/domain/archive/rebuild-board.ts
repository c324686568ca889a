import { type Board, boardInput, buildBoard } from '../board/index.ts'
import { type AnyPlan, episodeFact } from '../record/index.ts'
import { digestSuite, type Exercise, PROTOCOL_VERSION, type Suite } from '../tasks/index.ts'
import type { Archive } from './archive.ts'

/**
 * Builds one suite version's board from the artifacts alone. With a ledger, provenance and shards come from it; without
 * one, every run counts with provenance `manual`.
 */
export function rebuildBoard(
  { runs, entries, evaluations = [], regrades = new Map() }: Archive,
  suite: Suite,
): Board {
  const own = runs.filter(({ plan }) => plan.suiteDigest === suite.digest)
  const facts = own.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'manual')))
  const planned = own.map(({ runId, plan, shard }) =>
    shard ? { runId, plan, shard } : { runId, plan },
  )
  const input = { suite, facts, runs: planned }
  return buildBoard(entries ? boardInput({ ...input, evaluations, regrades }, entries) : input)
}

/**
 * Reconstructs a suite from frozen plans: names, digests and categories, no texts. Null = the plans do not cover all of
 * its tasks, so it is unknown whether a row covers the suite.
 */
export function suiteFromPlans(plans: readonly AnyPlan[]): Suite | null {
  const [first] = plans
  if (!first) return null
  const planned = new Map(plans.flatMap(({ tasks }) => tasks.map((task) => [task.taskId, task])))
  const tasks = [...planned.values()].map(({ taskId, digest, category }) => ({
    ...UNKNOWN_TASK,
    taskId,
    digest,
    category,
    title: taskId,
  }))
  const { suiteId, suiteDigest } = first
  // Plans frozen under an earlier protocol describe a suite of that protocol.
  const protocolVersion = KNOWN_PROTOCOLS.find((one) => digestSuite(tasks, one) === suiteDigest)
  if (protocolVersion === undefined) return null
  return { ...UNKNOWN_SUITE, suiteId, protocolVersion, title: suiteId, digest: suiteDigest, tasks }
}

const KNOWN_PROTOCOLS = Array.from({ length: PROTOCOL_VERSION }, (_, index) => index + 1)

const UNKNOWN_TASK: Omit<Exercise, 'taskId' | 'digest' | 'category' | 'title'> = {
  difficulty: 'unknown',
  files: { solution: [], test: [], example: [], support: [], instructions: [] },
  expectedTests: [],
  runTests: true,
  typeTests: false,
  compilerOptions: {},
  packageType: 'module',
  verifyTimeoutMs: 1,
}

const UNKNOWN_SUITE = {
  kind: 'exercise' as const,
  // Plans do not state which kinds the suite measures, so all are allowed.
  subjectKinds: ['agent' as const, 'library' as const, 'control' as const],
  description: '',
  version: 'unknown',
  source: null,
}

/** Returns where two JSON values first differ, as a path and both sides shortened; null = equal. */
export function firstDifference(left: unknown, right: unknown, path = ''): string | null {
  if (Object.is(left, right)) return null
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right))
    return `${path || '(root)'}: ${shorten(left)} is not ${shorten(right)}`
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(byNumberOrName)
  for (const key of keys) {
    const below = path ? `${path}.${key}` : key
    const difference = firstDifference(left[key], right[key], below)
    if (difference) return difference
  }
  return null
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function byNumberOrName(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  return Number.isNaN(difference) ? (a < b ? -1 : 1) : difference
}

function shorten(value: unknown): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
