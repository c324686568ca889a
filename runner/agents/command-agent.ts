import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubjectDriver } from '../controls/subject-driver.ts'
import { OWN_ENV } from '../process/own-env.ts'
import { runProcess } from '../process/run-process.ts'
import { buildPrompt, PROMPT_VERSION } from './prompt.ts'
import { subjectEnv } from './subject-env.ts'

const GRACE_MS = 1500
const MOST_PROCESSES = 256

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
    act: async (turn) => {
      const promptFile = join(turn.temporary, 'prompt.md')
      const { text, version: promptVersion, digest } = buildPrompt(turn.task)
      await writeFile(promptFile, text)
      const env = {
        ...subjectEnv(turn, OWN_ENV),
        PROOFBOARD_PROMPT_FILE: promptFile,
        PROOFBOARD_TASK: turn.task.task.taskId,
      }
      const ending = await runProcess({
        command,
        env,
        cwd: turn.workspace,
        folder: turn.folder,
        marker: turn.marker,
        timeoutMs: turn.settings.timeoutMs,
        diskQuotaBytes: turn.settings.diskQuotaBytes,
        maxProcesses: MOST_PROCESSES,
        graceMs: GRACE_MS,
        log: turn.log,
        signal: turn.signal,
      })
      return { ...ending, prompt: { version: promptVersion, digest, passedBy: 'file' as const } }
    },
  }
}
