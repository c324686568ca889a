import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrate } from '#lib/db/migrate.ts'
import { temporarySuite } from '#lib/testing/temporary-suite.ts'
import { MIGRATIONS_DIR } from '../temporary-database.ts'

export const SUITE_ID = 'kill'
const TASKS = ['lru-cache', 'rate-limiter']

/** Everything lies below one folder, temporary files too: whatever is left afterwards is ours and can be seen. */
export type Ground = {
  root: string
  dataDir: string
  temporary: string
  database: string
  agent: string
}

/** A folder of its own with an empty, migrated database, a small suite and an agent that takes its time. */
export function layGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'proofboard-kill-'))
  const dataDir = join(root, 'data')
  const temporary = join(root, 'tmp')
  for (const folder of [dataDir, temporary]) mkdirSync(folder)
  temporarySuite(dataDir, SUITE_ID, TASKS)
  const database = join(dataDir, 'proofboard.db')
  migrate(database, MIGRATIONS_DIR)
  // The agent may be another user than the runner: it passes through to what it needs.
  for (const folder of [root, temporary]) chmodSync(folder, 0o711)
  const files = { 'agent.sh': AGENT, 'child.sh': CHILD, ...solutions() }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(root, name), text)
    chmodSync(join(root, name), 0o644)
  }
  return { root, dataDir, temporary, database, agent: `sh ${join(root, 'agent.sh')} ${root}` }
}

/** By file name: what the agent copies when it solves a task. */
function solutions(): Record<string, string> {
  const read = (task: string) =>
    readFileSync(join(resolve('exercises/typescript'), task, '.meta', 'reference.ts'), 'utf8')
  return Object.fromEntries(TASKS.map((task) => [`${task}.ts`, read(task)]))
}

/** Takes 0.1 to 1.8 seconds, writes files, has a child; two of three times it solves the task. */
const AGENT = `
case $(($$ % 4)) in 0) length=0.1 ;; 1) length=0.5 ;; 2) length=1 ;; *) length=1.8 ;; esac
sh "$1/child.sh" "$length" &
mkdir -p notes
for part in 1 2 3; do echo "$part of $length" > "notes/$part.txt"; done
[ $(($$ % 3)) -eq 0 ] || cp "$1/$PROOFBOARD_TASK.ts" "$PROOFBOARD_TASK.ts"
wait
`
const CHILD = `echo "a child for $1 s"; sleep "$1"; true\n`
