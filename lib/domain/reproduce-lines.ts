import type { Plan } from './plan.ts'
import type { Suite } from './suite.ts'

/** What a plan differs in from the command line's own defaults has to be said. */
const DEFAULT_TIMEOUT_MS = 600_000
const DEFAULT_SEED = 1
const DEFAULT_ISOLATION = 'local'

/**
 * Shell lines that ask for the same again, from a clone; `taskIds` narrows them to some tasks of the plan.
 * `suite` is the planned version, or null when this server does not have it.
 */
export function reproduceLines(
  plan: Plan,
  suite: Pick<Suite, 'source' | 'tasks'> | null,
  taskIds: readonly string[] | null = null,
): string[] {
  const wanted = taskIds ?? plannedPart(plan, suite)
  const words = ['npx proofboard run', `--suite ${plan.suiteId}`, ...subjectWords(plan)]
  if (wanted) words.push(`--tasks ${wanted.join(',')}`)
  words.push(`--repetitions ${plan.repetitions}`)
  const { timeoutMs, seed, isolation } = plan.settings
  if (timeoutMs !== DEFAULT_TIMEOUT_MS) words.push(`--timeout ${Math.ceil(timeoutMs / 1000)}`)
  if (isolation !== DEFAULT_ISOLATION) words.push(`--isolation ${isolation}`)
  if (seed !== DEFAULT_SEED) words.push(`--seed ${seed}`)
  return [...importLines(plan, suite), words.join(' ')]
}

/** The tasks that were chosen; null = all of them. */
function plannedPart(plan: Plan, suite: Pick<Suite, 'tasks'> | null): string[] | null {
  const planned = plan.tasks.map(({ taskId }) => taskId)
  return suite && planned.length < suite.tasks.length ? planned : null
}

function subjectWords({ subject, command }: Plan): string[] {
  if (command === null) return [`--subject ${subject.name}`]
  const version = subject.version ? [`--subject-version ${quote(subject.version)}`] : []
  return [`--command ${quote(command)}`, `--name ${quote(subject.name)}`, ...version]
}

function importLines(plan: Plan, suite: Pick<Suite, 'source'> | null): string[] {
  if (!suite?.source) return []
  const { url, ref } = suite.source
  return [
    `npx proofboard suite import exercism --from ${quote(url)} --ref ${quote(ref)} --as ${plan.suiteId}`,
  ]
}

/** One shell word, whatever it holds. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
