import type { PlanDraft } from '../record/plan.ts'
import { shellWord } from '../record/text.ts'
import type { Suite } from '../tasks/suite.ts'

/** What a plan differs in from the command line's own defaults has to be said. */
const DEFAULT_TIMEOUT_MS = 600_000
const DEFAULT_SEED = 1

/**
 * Shell lines that ask for the same again, from a clone; `taskIds` narrows them to some tasks of the plan.
 * `suite` is the planned version, or null when this server does not have it. No options name the repetitions of a
 * top-up: its frozen plan is run again.
 */
export function reproduceLines(
  plan: PlanDraft,
  suite: Pick<Suite, 'source' | 'tasks'> | null,
  taskIds: readonly string[] | null = null,
): string[] {
  if (plan.topUpOf) return [...importLines(plan, suite), 'npx proofboard run --plan plan.json']
  const wanted = taskIds ?? plannedPart(plan, suite)
  const words = ['npx proofboard run', `--suite ${plan.suiteId}`, ...subjectWords(plan)]
  if (wanted) words.push(`--tasks ${wanted.join(',')}`)
  words.push(`--repetitions ${plan.repetitions}`)
  words.push(...pinWords(plan.settings))
  const { timeoutMs, seed, isolation } = plan.settings
  if (timeoutMs !== DEFAULT_TIMEOUT_MS) words.push(`--timeout ${Math.ceil(timeoutMs / 1000)}`)
  // Without the option an agent gets whatever the machine has; everybody else runs at local anyway.
  if (plan.subject.kind === 'agent') words.push(`--isolation ${isolation}`)
  if (seed !== DEFAULT_SEED) words.push(`--seed ${seed}`)
  return [...importLines(plan, suite), words.join(' ')]
}

/** The tasks that were chosen; null = all of them. */
function plannedPart(plan: PlanDraft, suite: Pick<Suite, 'tasks'> | null): string[] | null {
  const planned = plan.tasks.map(({ taskId }) => taskId)
  return suite && planned.length < suite.tasks.length ? planned : null
}

function subjectWords({ subject, command }: PlanDraft): string[] {
  if (command === null) {
    const { name, modelRequested, provider } = subject
    const model = modelRequested === null ? [] : [`--model ${shellWord(modelRequested)}`]
    const script = provider === 'scripted' ? ['--script solve'] : []
    return [
      `--subject ${name}`,
      ...model,
      ...(provider ? [`--provider ${shellWord(provider)}`] : []),
      ...script,
    ]
  }
  const version = subject.version ? [`--subject-version ${shellWord(subject.version)}`] : []
  return [`--command ${shellWord(command)}`, `--name ${shellWord(subject.name)}`, ...version]
}

function pinWords({
  maxSteps,
  maxTokens,
  maxCostMicroUsd,
  temperature,
  fault,
  browser,
}: PlanDraft['settings']): string[] {
  const pins = {
    '--max-steps': maxSteps,
    '--max-tokens': maxTokens,
    '--max-cost': maxCostMicroUsd === null ? null : maxCostMicroUsd / 1e6,
    '--temperature': temperature,
    '--fault': fault ?? null,
    '--browser': browser === 'cold' ? browser : null,
  }
  return Object.entries(pins).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  )
}

function importLines(plan: PlanDraft, suite: Pick<Suite, 'source'> | null): string[] {
  if (!suite?.source) return []
  const { url, ref } = suite.source
  return [
    `npx proofboard suite import exercism --from ${shellWord(url)} --ref ${shellWord(ref)} --as ${plan.suiteId}`,
  ]
}
