import { join } from 'node:path'
import type { Settings } from '#lib/domain/record/index.ts'
import { mayUseNetwork, type RepositoryTask } from '#lib/domain/tasks/index.ts'
import { redactText } from '../redact/redact.ts'
import { commitBase } from '../repository/check-out.ts'
import { judgeWork, type RepositoryEvaluation } from '../repository/judge-work.ts'
import { permissionsOf } from '../repository/permissions.ts'
import { type PreparedBase, prepareBase } from '../repository/prepare-base.ts'
import type { VerifySettings } from '../repository/run-command.ts'
import { type TakenWork, takeChanges } from '../repository/take-changes.ts'
import { copyTree } from '../repository/tree.ts'
import { CHANGES_FILE, diffChanges, writeChanges } from '../repository/write-changes.ts'
import { isRunnerError, machineError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import type { SubjectDriver } from '../subjects/subject-driver.ts'
import type { LoadedRepository } from '../suites/repository-folder.ts'
import { isRepository, type SourceText } from '../suites/task-folder.ts'
import { storeEvidence } from './collect-evidence.ts'
import { decideOutcome } from './describe-attempt.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  Judgement,
  KeptEvidence,
  PreparedAttempt,
} from './environment-adapter.ts'
import { runSubject, type SubjectResult } from './run-subject.ts'
import { createAttemptDirs } from './workspace.ts'

/** Where the parts of a repository task run, beside what the plan says of the subject. */
export type RepositorySettings = {
  /** The subject's. */
  isolation: Isolation
  /** The strongest of this machine: code of the solution runs there whatever the subject had. */
  judging: Isolation
  /** Prepared repositories are kept there between runs. */
  cache: string
}

/** Repository tasks: a copy of a prepared repository, judged by the task's own command from the work's patch. */
export function repositoryAdapter(
  driver: SubjectDriver,
  settings: RepositorySettings,
): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (visit: AttemptContext) => enterRepository(visit, driver, settings)
  const nothing = async () => {}
  return { mode, secrets, open: nothing, enter, close: nothing }
}

/** What is known of an attempt once its phases have passed. */
type Attempt = {
  visit: AttemptContext
  task: LoadedRepository
  base: PreparedBase
  driver: SubjectDriver
  work: TakenWork
  evaluation: RepositoryEvaluation | null
}

const NO_WORK: TakenWork = { changes: [], touched: [], findings: [], problem: null }

async function enterRepository(
  visit: AttemptContext,
  driver: SubjectDriver,
  { isolation, judging, cache }: RepositorySettings,
): Promise<PreparedAttempt> {
  const { task, slot, plan, marker, runMark, log, signal } = visit
  if (!isRepository(task)) throw new Error(`${task.task.taskId} is not a repository task`)
  const { temporaryFolder: temporary } = visit
  const judgingSettings = { isolation: judging, temporary, runMark, signal }
  const base = await prepareBase(task, { ...judgingSettings, cache }).catch((error) => {
    throw isRunnerError(error) ? machineError(error.message) : error
  })
  const { taskId } = task.task
  const place = await createAttemptDirs(visit.temporaryFolder, visit.folderName, taskId)
  await copyTree(base.entries, base.folder, place.workspace)
  if (!(await commitBase(place.workspace))) log.write('proofboard: git is not installed here\n')
  const attempt: Attempt = { visit, task, base, driver, work: NO_WORK, evaluation: null }
  return {
    play: () =>
      runSubject(driver, {
        ...{ task, repetition: slot.repetition, settings: withBudgets(plan.settings, task.task) },
        ...{ isolation, network: mayUseNetwork(task.task, 'agent') },
        ...{ marker, runMark, log, signal },
        ...place,
      }),
    restore: async () => {
      const tests = new Set(task.tests.map(({ path }) => path))
      const permissionOf = permissionsOf(task.task, tests)
      const { droppings = [] } = driver
      attempt.work = await takeChanges(base.entries, place.workspace, { permissionOf, droppings })
      return attempt.work.touched
    },
    judge: async (subject) => {
      if (subject.outcome?.status === 'cancelled' || signal.aborted) return null
      attempt.evaluation = await judgeOrStop(attempt, judgingSettings)
      return judgementOf(attempt, subject)
    },
    collect: (subject) => collect(attempt, subject),
    leave: place.remove,
  }
}

/** The smaller of what the plan and the task give. */
function withBudgets(settings: Settings, { budgets }: RepositoryTask): Settings {
  const { timeoutMs = settings.timeoutMs, maxSteps: own } = budgets
  const { maxSteps } = settings
  return {
    ...settings,
    timeoutMs: Math.min(settings.timeoutMs, timeoutMs),
    maxSteps: maxSteps === null ? null : Math.min(maxSteps, own ?? maxSteps),
  }
}

/** The subject has been paid: a failure of this machine gets a second chance. Null = the run was stopped. */
async function judgeOrStop(
  { task, base, work }: Attempt,
  settings: VerifySettings,
): Promise<RepositoryEvaluation | null> {
  const judge = () => judgeWork(task, base, work, settings)
  try {
    const evaluation = await judge().catch((error) => {
      if (settings.signal.aborted) throw error
      return judge()
    })
    return settings.signal.aborted ? null : evaluation
  } catch (error) {
    if (settings.signal.aborted) return null
    throw error
  }
}

function judgementOf({ evaluation, work }: Attempt, { ending }: SubjectResult): Judgement | null {
  if (evaluation === null) return null
  const { contract, findings, exit } = evaluation
  const outcome = decideOutcome(ending, { contract, findings })
  const isPartial = (contract.passedTests ?? 0) > 0
  const failure = isPartial ? ('partial' as const) : ('test-failure' as const)
  const unsolvedAs = work.changes.length === 0 ? ('no-change' as const) : failure
  return { contract, findings, exit, outcome, unsolvedAs }
}

async function collect(
  { visit, task, base, work, evaluation }: Attempt,
  { ending }: SubjectResult,
): Promise<KeptEvidence> {
  const { recording = null, calls = null, transcript = null } = ending
  const clean = (text: string) => redactText(text, visit.find).text
  const { taskId, title, instruction } = task.task
  const solution = textsOf(work.changes)
  const stored = task.reference?.kind === 'overlay' ? task.reference.changes : []
  const files = await storeEvidence(
    visit.attemptFolder,
    [
      {
        role: 'gate-log',
        path: 'gate.log',
        text: clean(evaluation?.log ?? 'The contract was not evaluated.\n'),
      },
      {
        role: 'workspace-diff',
        path: 'workspace.diff',
        text: clean(await diffChanges(base, work)),
      },
      {
        role: 'solution',
        path: join('solution', CHANGES_FILE),
        text: writeChanges(work.changes),
      },
    ],
    {
      ...{ log: visit.log, recording, calls, transcript },
      knowledge: {
        task: { id: taskId, title },
        ...{ tests: textsOf(task.tests), reference: textsOf(stored), solution },
        given: [instruction],
      },
    },
  )
  return { files }
}

function textsOf(changes: TakenWork['changes'] | LoadedRepository['tests']): SourceText[] {
  return changes.flatMap(({ path, bytes }) =>
    bytes === null ? [] : [{ path, text: bytes.toString('utf8') }],
  )
}
