import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import {
  type Environment,
  freezePlan,
  groupBy,
  type Plan,
  type Subject,
} from '#lib/domain/record/index.ts'
import type { Settings } from '#lib/domain/settings/index.ts'
import { systemClock } from '../engine/clock.ts'
import { readSealed } from '../engine/envelopes.ts'
import type { EnvironmentAdapter } from '../engine/environment-adapter.ts'
import { RunFolder } from '../engine/run-folder.ts'
import { runPlan } from '../engine/run-plan.ts'
import { exerciseAdapter } from '../kinds/exercise/exercise-adapter.ts'
import { local } from '../sandbox/isolation/local.ts'
import { controlSubject } from '../subjects/controls.ts'
import { DONE, type SubjectContext, type SubjectDriver } from '../subjects/subject-driver.ts'
import { writeSolution } from '../subjects/write-solution.ts'
import type { LoadedExercise, LoadedTask, SourceText } from '../suites/task-folder.ts'
import type { SolutionAttack } from '../suites/verify/attacks/attack.ts'
import type { ExerciseVerifier } from '../verify/exercise/verifier-types.ts'
import { type AuditAttempt, classifySolution, type Observation } from './classify.ts'

/** State shared by the attempts of an audit. */
export type AuditContext = {
  suite: { suiteId: string; digest: Plan['suiteDigest'] }
  environment: Environment
  concurrency: number
  signal: AbortSignal
  /** A folder for this audit only. */
  folder: string
}

// Sufficient for a whole suite of tests, and short enough for an attack that runs into the limit.
const SHORT_MS = 4_000

/** Runs one solution on these tasks through the whole pipeline; leaves out tasks that it does not apply to. */
export async function playSolution(
  attack: SolutionAttack,
  tasks: readonly LoadedExercise[],
  stage: AuditContext & { verifier: ExerciseVerifier },
): Promise<Map<string, Observation>> {
  const files = new Map<string, readonly SourceText[]>()
  for (const task of tasks) {
    const solution = await attack.solution(task)
    if (solution !== null) files.set(task.task.taskId, solution)
  }
  const played = tasks
    .filter(({ task }) => files.has(task.taskId))
    .map((task) => (attack.waits ? hurried(task) : task))
  if (played.length === 0) return new Map()
  const adapter = exerciseAdapter(solutionDriver(files), {
    verifier: stage.verifier,
    isolation: local,
  })
  const attempts = await runAuditPlan(
    { name: attack.name, adapter, subject: SUBJECT, played },
    stage,
  )
  const observed = (taskId: string) => classifySolution(attack, attempts.get(taskId) ?? [])
  return new Map(played.map(({ task }) => [task.taskId, observed(task.taskId)]))
}

const SUBJECT = controlSubject('audit')

/** Writes the attack's files where a subject would. */
function solutionDriver(files: ReadonlyMap<string, readonly SourceText[]>): SubjectDriver {
  return attackDriver(async ({ task, workspace, log }) => {
    await writeSolution(workspace, files.get(task.task.taskId) ?? [])
    log.write('audit: an attack was written as the solution\n')
  })
}

/** A subject that only attacks. */
function attackDriver(attack: (context: SubjectContext) => Promise<void>): SubjectDriver {
  const act = async (context: SubjectContext) => {
    await attack(context)
    return DONE
  }
  return { subject: SUBJECT, mode: 'scaffold', refuses: () => null, act }
}

/**
 * Runs an attack that leaves files in the workspace, through the whole pipeline. `plant` returns false for a task that it
 * does not apply to, which is left out.
 */
export async function playPlanted<T extends LoadedTask>(
  attack: { name: string } & Parameters<typeof classifySolution>[0],
  played: readonly T[],
  stage: AuditContext,
  {
    plant,
    adapterOf,
  }: {
    plant: (task: T, workspace: string) => Promise<boolean>
    adapterOf: (driver: SubjectDriver) => EnvironmentAdapter
  },
): Promise<Map<string, Observation>> {
  if (played.length === 0) return new Map()
  const planted = new Set<string>()
  const driver = attackDriver(async ({ task: { task }, workspace, log }) => {
    const own = played.find((one) => one.task.taskId === task.taskId)
    if (own && (await plant(own, workspace))) planted.add(task.taskId)
    log.write('audit: an attack was left in the workspace\n')
  })
  const parts = { name: attack.name, adapter: adapterOf(driver), subject: SUBJECT, played }
  const attempts = await runAuditPlan(parts, stage)
  const taskIds = played.map(({ task }) => task.taskId).filter((taskId) => planted.has(taskId))
  return new Map(
    taskIds.map((taskId) => [taskId, classifySolution(attack, attempts.get(taskId) ?? [])]),
  )
}

function hurried(task: LoadedExercise): LoadedExercise {
  const verifyTimeoutMs = Math.min(SHORT_MS, task.task.verifyTimeoutMs)
  return {
    ...task,
    draft: { ...task.draft, verifyTimeoutMs },
    task: { ...task.task, verifyTimeoutMs },
  }
}

/** Runs one subject once on each task; returns every attempt, by task. */
export async function runAuditPlan(
  {
    name,
    adapter,
    subject,
    played,
  }: { name: string; adapter: EnvironmentAdapter; subject: Subject; played: readonly LoadedTask[] },
  { suite, environment, concurrency, signal, folder }: AuditContext,
): Promise<Map<string, AuditAttempt[]>> {
  const out = join(folder, name)
  const plan = freezePlan(
    {
      suiteId: suite.suiteId,
      suiteDigest: suite.digest,
      tasks: played.map(({ task: { taskId, digest, category } }) => ({ taskId, digest, category })),
      subject,
      command: null,
      repetitions: 1,
      settings: SETTINGS,
      policyVersion: POLICY_VERSION,
    },
    { now: systemClock.now() },
  )
  try {
    await runPlan(
      { runId: RUN_ID, shard: { index: 1, count: 1 }, plan, concurrency, out, tasks: played },
      { adapter, clock: systemClock, environment, isolation: local, signal, emit: () => {} },
    )
    return groupBy(readSealed(new RunFolder(out)), ({ taskId }) => taskId)
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

const RUN_ID = 'run_selfaudit'

const SETTINGS: Settings = {
  timeoutMs: 120_000,
  maxSteps: null,
  maxTokens: null,
  maxCostMicroUsd: null,
  temperature: null,
  isolation: 'local',
  diskQuotaBytes: 512 << 20,
  maxAttempts: 1,
  seed: 0,
}
