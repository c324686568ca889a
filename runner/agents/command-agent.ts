import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubjectDriver } from '../controls/subject-driver.ts'
import { runEnclosed } from '../isolation/run-enclosed.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { findUnreachableCommand } from './find-unreachable.ts'
import { buildPrompt, PROMPT_VERSION } from './prompt.ts'
import { subjectEnv } from './subject-env.ts'

/**
 * Any program as an agent: a shell command run in the workspace, with the prompt in the file that
 * `$PROOFBOARD_PROMPT_FILE` names. Its version is what the caller says, else unknown, and the gate will say so.
 */
export function commandAgent(options: {
  name: string
  command: string
  version: string | null
}): SubjectDriver {
  const { name, command, version } = options
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
    act: async (turn) => {
      const { text, version: promptVersion, digest } = buildPrompt(turn.task)
      await writeFile(join(turn.temporary, 'prompt.md'), text)
      const inside = { ...turn, ...turn.isolation.inside(turn) }
      const env = {
        ...subjectEnv(inside, OWN_ENV),
        PROOFBOARD_PROMPT_FILE: join(inside.temporary, 'prompt.md'),
        PROOFBOARD_TASK: turn.task.task.taskId,
      }
      const ending = await runEnclosed(turn, { command, env })
      return { ...ending, prompt: { version: promptVersion, digest, passedBy: 'file' as const } }
    },
  }
}
