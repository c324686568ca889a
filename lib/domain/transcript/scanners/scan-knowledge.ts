import type { ScanFinding, TranscriptStep } from '../transcript.ts'
import type { Asked } from './asked-calls.ts'

export type ScannedFile = { path: string; text: string }

/** What a transcript is compared with. */
export type ScanKnowledge = {
  task: { id: string; title: string }
  tests: readonly ScannedFile[]
  reference: readonly ScannedFile[]
  /** What the attempt left. */
  solution: readonly ScannedFile[]
  /** Texts that every subject gets: instructions, stubs. */
  given: readonly string[]
}

/** What a scanner looks at: the steps, and the tool calls in them. */
export type Scanned = { steps: readonly TranscriptStep[]; asked: readonly Asked[] }

export type Scanner = (scanned: Scanned, knowledge: ScanKnowledge) => ScanFinding | null
