import { visibleText } from '#components/ui/format.ts'
import { BROWSER_FAULT_KINDS, BROWSER_FAULTS } from '#lib/domain/record/index.ts'
import { HERE, type LaunchChoices, type LaunchFields, SCRIPTED } from '#lib/domain/runs/index.ts'

export type Option = { value: string; text: string; disabled?: boolean }

/** The kind of subjects of the suite, besides controls. */
export function subjectWord({ subjects }: Pick<LaunchChoices, 'subjects'>): string {
  const kinds = new Set<string>(subjects.map(({ kind }) => kind))
  if (kinds.has('agent') && kinds.has('library')) return 'Agent or library'
  return kinds.has('library') ? 'Library' : 'Agent'
}

export function suiteOptions({ suites }: LaunchChoices, { suite }: LaunchFields): Option[] {
  const known = suites.map(({ suiteId, title }) => ({ value: suiteId, text: visibleText(title) }))
  return withGiven(known, suite)
}

export function categoryOptions({ suite }: LaunchChoices, { category }: LaunchFields): Option[] {
  const names = [...new Set(suite?.tasks.map((task) => task.category) ?? [])].sort()
  const known = names.map((name) => ({ value: name, text: `Only ${visibleText(name)}` }))
  return withGiven([{ value: '', text: 'All tasks' }, ...known], category)
}

export function providerOptions({ subjects }: LaunchChoices, fields: LaunchFields): Option[] {
  const subject = subjects.find(({ name }) => name === fields.subject)
  const named = (subject?.providers ?? []).map(({ name, missingKeys }) => ({
    value: name,
    text: missingKeys === null ? name : `${name} (no API key)`,
  }))
  const script = { value: SCRIPTED, text: 'Scripted model' }
  const isRequested =
    subject !== undefined && subject.model !== 'none' && subject.unmetered === null
  const first = { value: '', text: 'Auto (first with an API key)' }
  return withGiven([first, ...named, ...(isRequested ? [script] : [])], fields.provider)
}

export function faultOptions({ fault }: LaunchFields): Option[] {
  const known = BROWSER_FAULT_KINDS.map((kind) => ({
    value: kind,
    text: `${kind}: ${BROWSER_FAULTS[kind].what}`,
  }))
  return withGiven([{ value: '', text: 'None' }, ...known], fault)
}

export const ISOLATION_OPTIONS: readonly Option[] = [
  { value: 'auto', text: 'Auto (strongest on this machine)' },
  { value: 'bubblewrap', text: 'bubblewrap' },
  { value: 'docker', text: 'docker' },
  { value: 'local', text: 'local (no sandbox, not ranked)' },
]

export const BROWSER_OPTIONS: readonly Option[] = [
  { value: '', text: 'Reused, reset between episodes' },
  { value: 'cold', text: 'New for each episode' },
]

export const PRIORITY_OPTIONS: readonly Option[] = [
  { value: 'high', text: 'High' },
  { value: 'normal', text: 'Normal' },
  { value: 'low', text: 'Low' },
]

/** This machine, and the configured engines. */
export function machineOptions({ executors }: LaunchChoices, { on }: LaunchFields): Option[] {
  const others = executors.map(({ name, title }) => ({ value: name, text: title }))
  return withGiven([{ value: HERE, text: 'This machine' }, ...others], on)
}

/** Keeps an unknown value of the URL selected, so that the form submits what it shows. */
export function withGiven(options: readonly Option[], given: string): Option[] {
  if (given === '' || options.some(({ value }) => value === given)) return [...options]
  return [...options, { value: given, text: `${visibleText(given)} (unknown)` }]
}
