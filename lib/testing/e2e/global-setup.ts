import type { TestProject } from 'vitest/node'
import { startCopy } from './start-copy.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the copy listens that all browser tests share: `inject('siteUrl')`. */
    siteUrl: string
  }
}

/** The runner must not find this machine's Chromium: the tests would wait for browser runs that they do not need. */
const NO_CHROMIUM = { PROOFBOARD_CHROMIUM: 'none' }

/** One production server for all browser tests, from an empty data folder; stopped and removed at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const copy = await startCopy(NO_CHROMIUM)
  project.provide('siteUrl', copy.url)
  return async () => {
    await copy.stop()
  }
}
