import type { Behaviour } from '../../tasks/index.ts'
import type { ScanFinding, TranscriptStep } from '../transcript.ts'
import type { RequestedCall } from './asked-calls.ts'

export type ScannedFile = { path: string; text: string }

/** Facts that a transcript is compared with. */
export type ScanKnowledge = {
  task: { id: string; title: string }
  tests: readonly ScannedFile[]
  reference: readonly ScannedFile[]
  /** Files left by the attempt. */
  solution: readonly ScannedFile[]
  /** Texts that every subject gets: instructions, stubs. */
  given: readonly string[]
  /** Expected behaviours of the task; absent = none. */
  expect?: readonly Behaviour[] | undefined
}

/** Input of a scanner: the steps, and the tool calls in them. */
export type Scanned = { steps: readonly TranscriptStep[]; calls: readonly RequestedCall[] }

export type Scanner = (scanned: Scanned, knowledge: ScanKnowledge) => ScanFinding | null
