import { z } from 'zod'
import type { BrowserFaultKind } from '../browser/browser-fault.ts'
import { settingsSchema } from '../plan.ts'
import type { Subject } from '../subject.ts'
import type { Suite } from '../suite.ts'

/** Somebody that can answer for a subject's model. */
export type ProviderChoice = {
  name: string
  /** Variables of which one has to be set where the worker runs, and none is; null = nothing is missing. */
  missingKeys: string[] | null
}

/** A subject as the form offers it: one that cannot be started here is shown too, with the reason. */
export type SubjectChoice = {
  kind: Subject['kind']
  name: string
  title: string
  /** As it is installed here; null = it does not apply, or it is not installed. */
  version: string | null
  /** What is missing before it can be started; null = nothing. */
  missing: string | null
  /** Whether it is asked for a model. */
  model: 'needed' | 'possible' | 'none'
  /** Null = whoever the runner knows. */
  providers: ProviderChoice[] | null
  /** Why nobody can count what it uses even with a model; null = the gateway counts. */
  unmetered: string | null
}

export type TaskChoice = { taskId: string; category: string; faults: BrowserFaultKind[] }

/** The level that agents run at on this machine when nobody says one, with the runner's sentence about why. */
export const defaultIsolationSchema = z.object({
  level: settingsSchema.shape.isolation,
  line: z.string().max(2000),
})
export type DefaultIsolation = z.infer<typeof defaultIsolationSchema>

/** Everything that the form can be checked against: the chosen suite and whoever can be measured on it. */
export type LaunchChoices = {
  suites: { suiteId: string; title: string }[]
  /** Null = the suite is not known here. */
  suite: { suiteId: string; kind: Suite['kind']; tasks: TaskChoice[] } | null
  subjects: SubjectChoice[]
  /** Models that past runs asked for, each once. */
  models: string[]
  /** Null = not known, or the suite's subjects start no program that needs a sandbox. */
  isolation: DefaultIsolation | null
  /** Why the runner did not tell who can be measured; null = it did. */
  trouble: string | null
}

const EXERCISE_CONTROLS = ['reference', 'nop', 'wrong', 'flaky', 'cheater']
const WORKFLOW_CONTROLS = ['reference', 'nop', 'wrong', 'cheater']

/** The subjects that test the harness itself; they need nothing of the machine. */
export function listControls(kind: Suite['kind']): SubjectChoice[] {
  const names = kind === 'browser' ? WORKFLOW_CONTROLS : EXERCISE_CONTROLS
  return names.map((name) => ({
    kind: 'control',
    name,
    title: name,
    version: null,
    missing: null,
    model: 'none',
    providers: [],
    unmetered: null,
  }))
}
