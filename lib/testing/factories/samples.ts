import type { BrowserRecord } from '../../domain/record/index.ts'

export {
  SAMPLE_RUN_ID,
  sampleContract,
  sampleEpisode,
  samplePlan,
  sampleSuite,
  sampleTests,
} from './sample-record.ts'

/** Record of a normal browser episode, for tests to change. */
export function sampleBrowser(changes: Partial<BrowserRecord> = {}): BrowserRecord {
  return {
    driven: 'scripted',
    targeting: 'css',
    reuse: 'reused',
    connectMs: 250,
    harnessMs: 120,
    resultBytes: 300,
    resultTokens: 100,
    libraryError: null,
    recovery: null,
    processes: { peakPssBytes: 5e8, libraryPeakPssBytes: 1e8, peakCount: 12, zombies: 0 },
    reset: 'verified',
    ...changes,
  }
}

/** An error as a library reported it. */
export const SAMPLE_LIBRARY_ERROR = { step: 'pay', action: 'click', message: 'no such button' }
