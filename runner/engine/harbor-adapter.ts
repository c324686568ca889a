import { join } from 'node:path'
import type { Settings } from '#lib/domain/record/index.ts'
import type { HarborTask } from '#lib/domain/tasks/index.ts'
import type { LoadedHarbor } from '../harbor/harbor-folder.ts'
import { type HarborEvaluation, judgeHarbor } from '../harbor/judge-harbor.ts'
import { openPlace } from '../harbor/open-place.ts'
import type { HarborPlace } from '../harbor/place.ts'
import { redactText } from '../redact/redact.ts'
import type { Change } from '../repository/overlay.ts'
import type { TakenWork } from '../repository/take-changes.ts'
import { CHANGES_FILE, diffTaken, writeChanges } from '../repository/write-changes.ts'
import { isRunnerError, machineError } from '../runner-error.ts'
import type { Isolation } from '../sandbox/isolation/isolation.ts'
import { DONE, type SubjectDriver, type SubjectEnding } from '../subjects/subject-driver.ts'
import { isHarbor, type SourceText } from '../suites/task-folder.ts'
import { playArm } from './arms-adapter.ts'
import { storeEvidence } from './collect-evidence.ts'
import { decideOutcome } from './describe-attempt.ts'
import type {
  AttemptContext,
  EnvironmentAdapter,
  Judgement,
  KeptEvidence,
  PreparedAttempt,
} from './environment-adapter.ts'
import { plannedEntry } from './episode-draft.ts'
import type { SubjectResult } from './run-subject.ts'

/** Tasks in Harbor's format: their image or folder, judged by the reward of their own verifier. */
export function harborAdapter(driver: SubjectDriver, isolation: Isolation): EnvironmentAdapter {
  const { mode, secrets = [] } = driver
  const enter = (visit: AttemptContext) => enterHarbor(visit, driver, isolation)
  const nothing = async () => {}
  return { mode, secrets, open: nothing, enter, close: nothing }
}

/** What is known of an attempt once its phases have passed. */
type Attempt = {
  visit: AttemptContext
  task: LoadedHarbor
  place: HarborPlace
  work: TakenWork
  evaluation: HarborEvaluation | null
}

async function enterHarbor(
  visit: AttemptContext,
  driver: SubjectDriver,
  asked: Isolation,
): Promise<PreparedAttempt> {
  const { task, slot, plan, marker, runMark, log, signal, temporaryFolder: temporary } = visit
  if (!isHarbor(task)) throw new Error(`${task.task.taskId} is not a task in Harbor's format`)
  const settings = { temporary, runMark, signal }
  const place = await openPlace(task, settings, { asked, name: visit.folderName }).catch(
    (error) => {
      throw isRunnerError(error) ? machineError(error.message) : error
    },
  )
  const work: TakenWork = { changes: [], touched: [], findings: [], problem: null }
  const attempt: Attempt = { visit, task, place, work, evaluation: null }
  const { folder, workspace, home, temporary: own, isolation } = place
  const arm = plan.arms?.find(({ name }) => name === slot.arm)
  return {
    play: () =>
      playArm(arm, withSolution(driver, place), {
        ...{ task, repetition: slot.repetition },
        settings: withBudgets(plannedEntry(plan, slot).settings, task.task),
        ...{ isolation, network: task.task.agent.network === 'on' },
        ...{ marker, runMark, log, signal, folder, workspace, home, temporary: own },
      }),
    restore: async () => {
      attempt.work = await place.take(driver.droppings ?? [])
      return attempt.work.touched
    },
    judge: async (subject) => {
      if (subject.outcome?.status === 'cancelled' || signal.aborted) return null
      attempt.evaluation = await judgeOrStop(attempt)
      return judgementOf(attempt, subject)
    },
    collect: (subject) => collect(attempt, subject),
    leave: place.leave,
  }
}

/** A control that knows the solution runs it in the place: it is a script, and not files that could be written. */
function withSolution(driver: SubjectDriver, place: HarborPlace): SubjectDriver {
  const { chooses } = driver
  if (chooses === undefined) return driver
  return {
    ...driver,
    act: async (turn): Promise<SubjectEnding> => {
      const solves = chooses(turn)
      turn.log.write(
        `${driver.subject.name}: ${solves ? 'runs solution/solve.sh' : 'does nothing'}\n`,
      )
      return solves ? { ...DONE, ...(await place.solve(turn.log)) } : DONE
    },
  }
}

/** The smaller of what the plan and the task give. */
function withBudgets(settings: Settings, { agent }: HarborTask): Settings {
  const { timeoutMs } = settings
  return { ...settings, timeoutMs: Math.min(timeoutMs, agent.timeoutMs ?? timeoutMs) }
}

/** The subject has been paid: a failure of this machine gets a second chance. Null = the run was stopped. */
async function judgeOrStop({ place, work, visit }: Attempt): Promise<HarborEvaluation | null> {
  const { signal } = visit
  const judge = () => judgeHarbor(place, work)
  try {
    const evaluation = await judge().catch((error) => {
      if (signal.aborted) throw error
      return judge()
    })
    return signal.aborted ? null : evaluation
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

function judgementOf({ evaluation, work }: Attempt, { ending }: SubjectResult): Judgement | null {
  if (evaluation === null) return null
  const { contract, findings, exit, reward } = evaluation
  const outcome = decideOutcome(ending, { contract, findings })
  const failure = (reward ?? 0) > 0 ? ('partial' as const) : ('test-failure' as const)
  const unsolvedAs = work.changes.length === 0 ? ('no-change' as const) : failure
  return { contract, findings, exit, outcome, unsolvedAs }
}

async function collect(
  { visit, task, place, work, evaluation }: Attempt,
  { ending }: SubjectResult,
): Promise<KeptEvidence> {
  const { recording = null, calls = null, transcript = null } = ending
  const clean = (text: string) => redactText(text, visit.find).text
  const { taskId, title, instruction } = task.task
  const gate = clean(evaluation?.log ?? 'The contract was not evaluated.\n')
  const diff = clean(await diffTaken(place.before, work))
  const files = await storeEvidence(
    visit.attemptFolder,
    [
      { role: 'gate-log', path: 'gate.log', text: gate },
      { role: 'workspace-diff', path: 'workspace.diff', text: diff },
      { role: 'solution', path: join('solution', CHANGES_FILE), text: writeChanges(work.changes) },
    ],
    {
      ...{ log: visit.log, recording, calls, transcript },
      knowledge: {
        task: { id: taskId, title },
        tests: textsOf(task.tests),
        ...{ reference: textsOf(task.solution ?? []), solution: textsOf(work.changes) },
        given: [instruction],
      },
    },
  )
  return { files }
}

function textsOf(changes: readonly Change[]): SourceText[] {
  return changes.flatMap(({ path, bytes }) =>
    bytes === null ? [] : [{ path, text: bytes.toString('utf8') }],
  )
}
