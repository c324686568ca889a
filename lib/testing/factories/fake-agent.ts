import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { completeTask } from '#runner/suites/complete-task.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { readTaskFolder } from '#runner/suites/read-task-folder.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

/**
 * Writes a shell script that acts as an agent, in its own folder, which a sandbox can mount. Returns the path of its
 * definition. `changes` replaces whole members of the definition.
 */
export function writeFakeAgent(
  folder: string,
  script: string,
  changes: Record<string, unknown> = {},
): string {
  const binary = join(folder, 'fake-agent')
  const says = 'if [ "$1" = --version ]; then echo v1.2.3; exit; fi'
  writeFileSync(binary, `#!/bin/sh\n${says}\n${script}\n`)
  chmodSync(binary, 0o755)
  const path = join(folder, 'echo.yaml')
  const argv = ['-m', slot('model'), slot('prompt')]
  writeFileSync(path, writeEchoAgent(folder, { binary, argv, ...changes }))
  return path
}

const ASK = `
const { ECHO_URL, ECHO_KEY } = process.env
const body = { model: "scripted-1", max_tokens: 9, messages: [{ role: "user", content: "x" }] }
const headers = { "x-api-key": ECHO_KEY, "anthropic-version": "2023-06-01", "content-type": "application/json" }
fetch(ECHO_URL + "/v1/messages", { method: "POST", headers, body: JSON.stringify(body) })
  .then((answer) => answer.text())
  .then(console.log)
`

/** A script that calls its model once and prints the response. */
export const ASKS_ONCE = `node -e '${ASK}'`

/** Loads a shipped exercise as a run does; the names of its tests must be stored next to it. */
export function loadOneTask(taskId: string): Promise<LoadedExercise> {
  return completeTask(readTaskFolder(join(PROJECT_ROOT, 'exercises', 'typescript', taskId)), () => {
    throw new Error(`the names of the tests of ${taskId} are not stored beside it`)
  })
}
