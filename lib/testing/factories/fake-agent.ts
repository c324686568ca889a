import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { slot, writeEchoAgent } from '#runner/subjects/agents/testing/echo-agent.ts'
import { completeTask } from '#runner/suites/complete-task.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'
import { readTaskFolder } from '#runner/suites/read-task-folder.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

/**
 * A shell script that plays an agent, in a folder of its own so that a sandbox can be shown it; answers the path of its
 * definition. `changes` replace whole members of the definition.
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

/** A script that calls its model once and prints the answer. */
export const ASKS_ONCE = `node -e '${ASK}'`

/** One of our exercises as a run loads it; the names of its tests have to be stored beside it. */
export function loadOneTask(taskId: string): Promise<LoadedExercise> {
  return completeTask(readTaskFolder(join(PROJECT_ROOT, 'exercises', 'typescript', taskId)), () => {
    throw new Error(`the names of the tests of ${taskId} are not stored beside it`)
  })
}
