import { type PlanDraft, providerName } from '../record/index.ts'
import { OPTION_LIST, printSetting } from '../settings/index.ts'
import type { Suite } from '../tasks/index.ts'
import { shellWord } from '../text/index.ts'

/**
 * Returns shell lines that request the same run from a clone; `taskIds` narrows them to some tasks of the plan. `suite`
 * is the planned version, or null if unknown here. Options cannot express the repetitions of a top-up or the content of
 * arms, so their frozen plan is run again. None for a plan in escrow, which another harness runs.
 */
export function reproduceLines(
  plan: PlanDraft,
  suite: Pick<Suite, 'source' | 'tasks'> | null,
  taskIds: readonly string[] | null = null,
): string[] {
  if (plan.escrow) return []
  if (plan.topUpOf || plan.arms)
    return [...importLines(plan, suite), 'npx proofboard run --plan plan.json']
  const wanted = taskIds ?? plannedPart(plan, suite)
  const words = ['npx proofboard run', `--suite ${plan.suiteId}`, ...subjectWords(plan)]
  if (wanted) words.push(`--tasks ${wanted.join(',')}`)
  words.push(`--repetitions ${plan.repetitions}`)
  words.push(...settingWords(plan))
  return [...importLines(plan, suite), words.join(' ')]
}

/** Lists the chosen tasks; null = all of them. */
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
      ...(provider ? [`--provider ${shellWord(providerName(provider))}`] : []),
      ...script,
    ]
  }
  const version = subject.version ? [`--subject-version ${shellWord(subject.version)}`] : []
  return [`--command ${shellWord(command)}`, `--name ${shellWord(subject.name)}`, ...version]
}

/** Options for settings that differ from the command line's defaults. */
function settingWords({ settings, subject }: PlanDraft): string[] {
  return OPTION_LIST.flatMap((setting) => {
    const { key, option, fallback, canBeNone } = setting
    const value = settings[key] ?? null
    // An agent runs by default at the machine's strongest level; all others run at local.
    const isUsual = key === 'isolation' ? subject.kind !== 'agent' : value === fallback
    const isUsualBrowser = key === 'browser' && value === 'reused'
    const isUnlimited = value === null && canBeNone && subject.modelRequested !== null
    if (!isUnlimited && (value === null || isUsual || isUsualBrowser)) return []
    return [`${option.flag} ${shellWord(printSetting(setting, value))}`]
  })
}

function importLines(plan: PlanDraft, suite: Pick<Suite, 'source'> | null): string[] {
  if (!suite?.source) return []
  const { url, ref } = suite.source
  return [
    `npx proofboard suite import exercism --from ${shellWord(url)} --ref ${shellWord(ref)} --as ${plan.suiteId}`,
  ]
}
