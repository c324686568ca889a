import type { TestProject } from 'vitest/node'
import { startCopy } from './start-copy.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the copy listens that all browser tests share: `inject('siteUrl')`. */
    siteUrl: string
  }
}

/** To the runner this machine has no Chromium: the tests would wait for browser runs that none of them is about. */
const NO_CHROMIUM = { PROOFBOARD_CHROMIUM: 'none' }

/** One production server for all browser tests, from an empty data folder; stopped and removed at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const copy = await startCopy(NO_CHROMIUM)
  project.provide('siteUrl', copy.url)
  return async () => {
    await copy.stop()
  }
}
