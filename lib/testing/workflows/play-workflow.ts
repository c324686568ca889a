import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import {
  asText,
  fillIn,
  holds,
  type Machine,
  type PlayedStep,
  playStep,
  type Surroundings,
} from './play-step.ts'
import type { CiWorkflow, WorkflowJob } from './read-workflows.ts'

export type Play = {
  /** Everything is stored here: a folder for each job's workspace, `artifacts`, `bin`. */
  folder: string
  inputs?: Record<string, string | boolean>
  vars?: Record<string, string>
  secrets?: Record<string, string>
  /** Of every job's machine. */
  env: Record<string, string>
  /** Only of jobs that may ask who they are (`id-token: write`), as GitHub gives it. */
  identityEnv?: Record<string, string>
  /** Jobs of one matrix at the same time. */
  width?: number
  /** What the expressions of a step see as `github`, beyond what every run has. */
  github?: Record<string, unknown>
  /** A repository with the commits that a step checks out; the workspace of every job. Absent = this clone. */
  repository?: string
}

export type PlayedJob = {
  result: 'success' | 'failure' | 'skipped'
  outputs: Record<string, string>
  /** Steps of the job, or of each job of its matrix. */
  runs: PlayedStep[][]
}

/**
 * Plays a workflow on this machine: jobs in the order of their needs, each in a workspace of its own, expressions by
 * GitHub's evaluator, `run` lines by bash as they are written. Actions move files as theirs do; triggers, time limits and
 * permissions other than `id-token` are not played.
 */
export async function playWorkflow(
  workflow: CiWorkflow,
  play: Play,
): Promise<Record<string, PlayedJob>> {
  const played: Record<string, PlayedJob> = {}
  mkdirSync(join(play.folder, 'artifacts'), { recursive: true })
  layNpx(join(play.folder, 'bin'))
  const left = new Map(Object.entries(workflow.jobs))
  while (left.size > 0) {
    const next = [...left].find(([, job]) => job.needs.every((name) => name in played))
    if (!next) throw new Error('jobs wait for each other')
    const [name, job] = next
    left.delete(name)
    played[name] = await playJob(name, job, { workflow, play, played })
  }
  return played
}

type JobContext = { workflow: CiWorkflow; play: Play; played: Record<string, PlayedJob> }

async function playJob(name: string, job: WorkflowJob, context: JobContext): Promise<PlayedJob> {
  const needed = job.needs.map((one) => context.played[one])
  const job_ = { failed: needed.some((one) => one?.result !== 'success'), cancelled: false }
  const outside: Surroundings = { contexts: contexts(job, context), job: job_, hashFiles: () => '' }
  if (!holds(job.if, outside)) return { result: 'skipped', outputs: {}, runs: [] }
  const matrix = listMatrix(job, outside)
  const runs: { steps: PlayedStep[]; outputs: Record<string, string> }[] = []
  const queue = matrix.map((entry, index) => ({ entry, index }))
  const worker = async () => {
    for (let item = queue.shift(); item; item = queue.shift())
      runs[item.index] = await playRun(`${name}-${item.index + 1}`, job, item.entry, context)
  }
  await Promise.all(Array.from({ length: context.play.width ?? 2 }, worker))
  const failed = runs.some(({ steps }) => steps.some(hasFailed))
  return {
    result: failed ? 'failure' : 'success',
    outputs: runs.at(-1)?.outputs ?? {},
    runs: runs.map(({ steps }) => steps),
  }
}

async function playRun(
  place: string,
  job: WorkflowJob,
  matrix: Record<string, unknown>,
  context: JobContext,
) {
  const machine = openMachine(place, job, context)
  const steps: PlayedStep[] = []
  const byId: Record<string, { outputs: Record<string, string>; outcome: string }> = {}
  const surroundings = (): Surroundings => ({
    contexts: { ...contexts(job, context), matrix, steps: byId },
    job: { failed: steps.some(hasFailed), cancelled: false },
    hashFiles: (pattern) => (existsSync(join(machine.workspace, pattern)) ? 'a-hash' : ''),
  })
  for (const step of job.steps) {
    const now = surroundings()
    const played: PlayedStep = holds(step.if, now)
      ? await playStep(step, machine, now)
      : skipped(step.name ?? step.uses ?? '')
    steps.push(played)
    if (step.id) byId[step.id] = { outputs: played.outputs, outcome: played.outcome }
  }
  const end = surroundings()
  const outputs = Object.entries(job.outputs).map(([key, text]) => [key, asText(fillIn(text, end))])
  return { steps, outputs: Object.fromEntries(outputs) as Record<string, string> }
}

function contexts(
  job: WorkflowJob,
  { workflow, play, played }: JobContext,
): Record<string, unknown> {
  const needs = job.needs.map((name) => {
    const { result, outputs } = played[name] ?? { result: 'skipped', outputs: {} }
    return [name, { result, outputs }]
  })
  return {
    github: {
      event_name: 'workflow_dispatch',
      event: {},
      ref: 'refs/heads/main',
      run_id: '1',
      ...play.github,
    },
    runner: { os: 'Linux' },
    env: workflow.env,
    inputs: play.inputs ?? {},
    vars: play.vars ?? {},
    secrets: play.secrets ?? {},
    needs: Object.fromEntries(needs),
    matrix: {},
    steps: {},
  }
}

function hasFailed({ outcome, isTolerated }: PlayedStep): boolean {
  return outcome === 'failure' && isTolerated !== true
}

/** Our matrices have one dimension, a list that another job gave. */
function listMatrix(job: WorkflowJob, surroundings: Surroundings): Record<string, unknown>[] {
  const [dimension] = Object.entries(job.strategy?.matrix ?? {})
  if (!dimension) return [{}]
  const [name, values] = dimension
  const list = Array.isArray(values) ? values : (fillIn(String(values), surroundings) as unknown[])
  return list.map((value) => ({ [name]: value }))
}

function openMachine(place: string, job: WorkflowJob, { play }: JobContext): Machine {
  const workspace = play.repository ?? join(play.folder, place)
  if (play.repository === undefined) checkOut(workspace)
  const { permissions } = job
  const mayTell = typeof permissions === 'object' && permissions['id-token'] === 'write'
  return {
    workspace,
    artifacts: join(play.folder, 'artifacts'),
    env: { ...play.env, ...(mayTell ? play.identityEnv : {}), CI: 'true', GITHUB_ACTIONS: 'true' },
    path: [join(play.folder, 'bin')],
  }
}

const NOT_CHECKED_OUT = new Set(['.git', '.next', '.proofboard', '.cache'])

/** A fresh clone with its packages, without copying a file. */
function checkOut(workspace: string): void {
  mkdirSync(workspace)
  for (const name of readdirSync(PROJECT_ROOT))
    if (!NOT_CHECKED_OUT.has(name)) symlinkSync(join(PROJECT_ROOT, name), join(workspace, name))
}

/** `npx proofboard` finds our command; linking it again in npm's cache takes seconds per job, so it is prepared once. */
function layNpx(bin: string): void {
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh\n[ "$1" = proofboard ] || exit 64\nshift\nexec '${process.execPath}' runner/cli/proofboard.mjs "$@"\n`
  writeFileSync(join(bin, 'npx'), script, { mode: 0o755 })
}

function skipped(name: string): PlayedStep {
  return { name, outcome: 'skipped', outputs: {}, run: null, code: null, said: '', summary: '' }
}
