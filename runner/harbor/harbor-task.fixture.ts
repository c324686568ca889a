import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A small task in Harbor's format, written for these tests: greet.txt must contain the greeting in lower case. */
export const HARBOR_FILES: Record<string, string> = {
  'task.toml': `version = "1.0"

[metadata]
author_name = "A. Author"
difficulty = "easy"
category = "text"
tags = ["files"]

[verifier]
timeout_sec = 20.0
env = { WANTED = "hello" }

[agent]
timeout_sec = 30.0

[environment]
allow_internet = false
cpus = 1
memory_mb = 512
`,
  'instruction.md': 'Put the word of /app/word.txt in lower case into /app/greet.txt.\n',
  'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\nCOPY word.txt .\n',
  'environment/word.txt': 'HELLO\n',
  'tests/test.sh': `#!/bin/bash
if [ "$(cat /app/greet.txt 2>/dev/null)" = "$WANTED" ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`,
  'solution/solve.sh': `#!/bin/bash
tr A-Z a-z < word.txt > greet.txt
`,
}

/** The same task in two steps: the second one asks for the greeting backwards, in a file of the step. */
export const STEP_FILES: Record<string, string> = {
  'task.toml': `${HARBOR_FILES['task.toml']}
[environment.healthcheck]
command = "test -f /app/word.txt"

[[steps]]
name = "first"
min_reward = 1.0

[[steps]]
name = "second"
[steps.agent]
timeout_sec = 40.0
user = "me"
[steps.verifier]
timeout_sec = 25.0
env = { WANTED = "olleh", KEY = "\${TASK_KEY}" }
[steps.healthcheck]
command = "test -f /app/from-setup"
retries = 1
`,
  'environment/Dockerfile':
    'FROM debian:12\nRUN useradd me\nWORKDIR /app\nRUN chown me /app\nCOPY word.txt .\n',
  'tests/test.sh': `#!/bin/bash
. /tests/helper.sh
[ "$(cat "$FILE" 2>/dev/null)" = "$WANTED" ]
echo $((1 - $?)) > /logs/verifier/reward.txt
`,
  'tests/helper.sh': 'FILE=/app/greet.txt\n',
  'steps/first/instruction.md':
    'Put the word of /app/word.txt in lower case into /app/greet.txt.\n',
  'steps/first/solution/solve.sh': '#!/bin/bash\ntr A-Z a-z < word.txt > greet.txt\n',
  'steps/second/instruction.md':
    'Put the text of /app/greet.txt backwards into the file that /app/target.txt names.\n',
  'steps/second/workdir/target.txt': '/app/back.txt\n',
  'steps/second/workdir/setup.sh':
    'test "$(id -un)" = me && test -f greet.txt && touch from-setup\n',
  'steps/second/tests/helper.sh': 'FILE=/app/back.txt\n',
  'steps/second/solution/solve.sh': '#!/bin/bash\nrev < greet.txt > "$(cat target.txt)"\n',
}

/** Writes a task's folder and returns it. `more` replaces files; null leaves one out. */
export function writeHarborTask(
  parent: string,
  more: Record<string, string | null> = {},
  name = 'greet',
): string {
  const folder = join(parent, name)
  for (const [path, text] of Object.entries({ ...HARBOR_FILES, ...more })) {
    if (text === null) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    // Harbor starts scripts whatever their mode.
    chmodSync(join(folder, path), 0o644)
  }
  return folder
}
