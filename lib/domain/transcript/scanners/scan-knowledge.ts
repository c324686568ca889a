import type { ScanFinding, TranscriptStep } from '../transcript.ts'
import type { Asked } from './asked-calls.ts'

export type Source = { path: string; text: string }

/** What a transcript is compared with. */
export type ScanKnowledge = {
  task: { id: string; title: string }
  tests: readonly Source[]
  reference: readonly Source[]
  /** What the attempt left. */
  solution: readonly Source[]
  /** Texts that every subject gets: instructions, stubs. */
  given: readonly string[]
}

/** What a scanner looks at: the steps, and the tool calls in them. */
export type Scanned = { steps: readonly TranscriptStep[]; asked: readonly Asked[] }

export type Scanner = (scanned: Scanned, knowledge: ScanKnowledge) => ScanFinding | null

export function plural(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`
}
