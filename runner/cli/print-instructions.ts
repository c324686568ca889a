import type { Plan } from '#lib/domain/record/index.ts'
import { readArms } from '../arms/read-arms.ts'
import type { LoadedSuite } from '../kinds/kind.ts'
import { buildModelPrompt } from '../libraries/model-prompt.ts'
import { findLibrary } from '../libraries/registry.ts'
import { buildPrompt } from '../subjects/agents/prompt.ts'
import { chooseAskedTasks } from '../suites/select-tasks.ts'
import { agentSteps, isAgentTask, type LoadedWorkflow } from '../suites/task-folder.ts'
import { readSettings } from './options.ts'
import { printJsonResult, printResult } from './output.ts'

type InstructionsRequest = {
  subject?: string
  tasks?: string[]
  first?: number
  arms?: string
  arm?: string[]
  json?: boolean
}

/** `--print-instructions`: the prompt of each task, or of its steps, byte for byte. Runs nothing and needs no agent. */
export function printInstructions(
  suite: LoadedSuite,
  frozen: Plan | null,
  options: InstructionsRequest,
): void {
  const { customInstruction } = frozen ? frozen.settings : readSettings(options)
  const planned = frozen?.tasks.map(({ taskId }) => taskId)
  const library = findLibrary(frozen?.subject.name ?? options.subject ?? '')
  const hasOwnLoop = library?.modelLoop !== undefined
  const chosen = chooseAskedTasks(suite.tasks, planned ? { tasks: planned } : options)
  const arms = frozen ? frozen.arms : readArms(options.arms, options.arm)
  const instructions = chosen.flatMap((task) => {
    const { taskId } = task.task
    if (!isAgentTask(task)) {
      const { text, ...about } = workflowPrompt(task, hasOwnLoop)
      return [{ taskId, prompt: text, ...about }]
    }
    // Without arms every episode of a task has the same prompt.
    return (arms ?? [null]).flatMap((arm) => {
      const own = arm?.settings?.customInstruction ?? customInstruction
      return agentSteps(task).map((step) => {
        const { text, version, digest } = buildPrompt(step, own, arm?.promptPrefix)
        return { taskId, ...(arm && { arm: arm.name }), prompt: text, version, digest }
      })
    })
  })
  if (options.json) printJsonResult({ instructions })
  else
    printResult(instructions.map(({ prompt }) => prompt).join(`\n\n${'='.repeat(SEPARATOR)}\n\n`))
}

const SEPARATOR = 80

/** The address of the app is random for each episode, so a placeholder is printed instead. */
function workflowPrompt(
  { task: { instruction, start, files } }: LoadedWorkflow,
  hasOwnLoop: boolean,
) {
  return buildModelPrompt({ instruction, start, origin: '{{origin}}', files, hasOwnLoop })
}
