import type { Stop } from '#lib/domain/record/index.ts'
import type { RequestedSettings } from './options.ts'
import type { StopOptions } from './stop-options.ts'

export type PlanOptions = StopOptions & {
  /** Set with `stopWhen` if this plan is one side of a pair. */
  stopPair?: Stop['pair']
  subject: string
  command?: string
  name?: string
  subjectVersion?: string
  agentFile?: string
  libraryFile?: string
  model?: string
  provider?: string
  agentVersion?: string
  providerFile?: string
  tasks?: string[]
  /** Takes only the first of the chosen tasks, in the suite's order. */
  first?: number
  repetitions: number
  /** The configuration of a job that Harbor runs, and an earlier job on its tasks. */
  escrow?: string
  rehearsal?: string
  arms?: string
  arm?: string[]
  settings: RequestedSettings
}
