import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import type { AgentTask } from '../../suites/task-folder.ts'

/** Increment when the prompt changes: it is part of the agent's input. */
export const PROMPT_VERSION = 3

export type AgentPrompt = { text: string; version: number; digest: Digest }

/**
 * Builds the prompt: base instruction, the task's own text, facts about the environment; the text of the task is passed
 * on unchanged. The arm's prefix comes first, the plan's addition (`--custom-instruction`) last.
 */
export function buildPrompt(
  task: AgentTask,
  customInstruction?: string,
  prefix?: string,
): AgentPrompt {
  const text = [
    ...(prefix === undefined ? [] : [prefix]),
    ...task.forAgents.prompt(task),
    ...(customInstruction === undefined ? [] : ['# Further instructions', customInstruction]),
  ].join('\n\n')
  return { text, version: PROMPT_VERSION, digest: digestBytes(text) }
}
