import { describe, it } from 'vitest'

export const isNight = process.env.PROOFBOARD_TEST_NIGHT === 'all'

if (!isNight) process.stderr.write('SKIPPED, tests for the night: npm run test:all\n')

/**
 * Tests that are too expensive for every change, because they start many whole processes, where a cheaper one already shows
 * what breaks most often: `npm run test:all` runs them.
 */
export const atNight = { describe: describe.runIf(isNight), it: it.runIf(isNight) }
