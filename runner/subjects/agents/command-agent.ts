import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Arm } from '#lib/domain/record/index.ts'
import { runEnclosed } from '../../sandbox/isolation/run-enclosed.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { playSteps } from '../play-steps.ts'
import type { SubjectContext, SubjectDriver, SubjectEnding } from '../subject-driver.ts'
import { findUnreachableCommand, subjectEnv } from './agent-program.ts'
import { buildPrompt, PROMPT_VERSION } from './prompt.ts'

/**
 * Drives any program as an agent: a shell command run in the workspace, with the prompt in the file that
 * `$PROOFBOARD_PROMPT_FILE` names. Its version is stated by the caller, else unknown, which the evidence rules report.
 */
export function commandAgent(options: {
  name: string
  command: string
  version: string | null
  arm?: Arm | undefined
}): SubjectDriver {
  const { name, command, version, arm } = options
  return {
    subject: {
      kind: 'agent',
      name,
      version,
      adapterVersion: `prompt ${PROMPT_VERSION}`,
      provider: null,
      modelRequested: null,
    },
    mode: 'live',
    refuses: () => null,
    findUnreachable: (isolation) => findUnreachableCommand(command, isolation),
    act: (context) => playSteps(context, (step) => runCommand(command, step, arm)),
  }
}

async function runCommand(
  command: string,
  context: SubjectContext,
  arm: Arm | undefined,
): Promise<SubjectEnding> {
  const { customInstruction } = context.settings
  const { text, version, digest } = buildPrompt(context.task, customInstruction, arm?.promptPrefix)
  await writeFile(join(context.temporary, 'prompt.md'), text)
  const inside = { ...context, ...context.isolation.inside(context) }
  const env = {
    ...subjectEnv(inside, RUNNER_ENV),
    PROOFBOARD_PROMPT_FILE: join(inside.temporary, 'prompt.md'),
    PROOFBOARD_TASK: context.task.task.taskId,
  }
  const ending = await runEnclosed(context, { command, env })
  return { ...ending, prompt: { version, digest, passedBy: 'file' } }
}
