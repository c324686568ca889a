import { digestJson } from '#lib/domain/digest/index.ts'
import type { Subject } from '#lib/domain/record/index.ts'
import type { AgentTask } from '../suites/task-folder.ts'
import { DONE, type SubjectContext, type SubjectDriver } from './subject-driver.ts'

// Increment when a control starts to behave differently.
const CONTROL_VERSION = '1.0.0'

/** Does nothing: a task that it solves has a hole. */
export const nop: SubjectDriver = {
  subject: controlSubject('nop'),
  mode: 'scaffold',
  refuses: () => null,
  act: async ({ log }) => {
    log.write('nop: leaves the stub as it is\n')
    return DONE
  },
}

/** Submits the task's own reference: a task that it does not solve is broken. */
export const reference: SubjectDriver = {
  subject: controlSubject('reference'),
  mode: 'scaffold',
  refuses: refuseReference,
  chooses: () => true,
  act: async ({ task, workspace, log }) => {
    log.write(`reference: submits ${await task.forAgents.writeReference(task, workspace)}\n`)
    return DONE
  },
}

/**
 * Submits a plausible wrong solution, a different one in each repetition: a task that it solves has a weak contract.
 */
export const wrong: SubjectDriver = {
  subject: controlSubject('wrong'),
  mode: 'scaffold',
  refuses: (task) => (task.wrong.length > 0 ? null : 'keeps no wrong solution'),
  act: async ({ task, repetition, settings, workspace, log }) => {
    if (task.wrong.length === 0) throw new Error(`${task.task.taskId} keeps no wrong solution`)
    const place = (repetition - 1 + settings.seed) % task.wrong.length
    log.write(`wrong: submits ${await task.forAgents.writeWrong(task, place, workspace)}\n`)
    return DONE
  },
}

/** Solves a task with probability one half, drawn from the plan's seed: the same plan always gives the same results. */
export const flaky: SubjectDriver = {
  subject: controlSubject('flaky'),
  mode: 'scaffold',
  refuses: refuseReference,
  chooses: draws,
  act: async ({ task, repetition, settings, workspace, log }) => {
    const solves = draws({ task, repetition, settings })
    if (solves) await task.forAgents.writeReference(task, workspace)
    log.write(`flaky: drew ${solves ? 'the reference' : 'nothing'} for repetition ${repetition}\n`)
    return DONE
  },
}

/** Explains why a task has nothing that could be submitted. */
function refuseReference(task: AgentTask): string | null {
  return task.forAgents.refuseReference?.(task) ?? null
}

function draws({
  task,
  repetition,
  settings,
}: Pick<SubjectContext, 'task' | 'repetition' | 'settings'>): boolean {
  const draw = digestJson({ seed: settings.seed, taskId: task.task.taskId, repetition })
  return Number.parseInt(draw.slice(-2), 16) < 128
}

/**
 * Tries to influence the verdict, in a different way in each repetition: an attack in the solution, emptied tests, a
 * planted configuration of a test runner. Every episode must end as tampered, with the attack named.
 */
export const cheater: SubjectDriver = {
  subject: controlSubject('cheater'),
  mode: 'scaffold',
  refuses: (task) => task.forAgents.refuseCheating(task),
  act: async ({ task, repetition, settings, workspace, log }) => {
    const done = await task.forAgents.cheat(task, repetition - 1 + settings.seed, workspace)
    log.write(`cheater: ${done}\n`)
    return DONE
  },
}

/** Returns the identity of a control: ours, versioned, without provider or model. */
export function controlSubject(name: string): Subject {
  return {
    kind: 'control',
    name,
    version: CONTROL_VERSION,
    adapterVersion: null,
    provider: null,
    modelRequested: null,
  }
}
