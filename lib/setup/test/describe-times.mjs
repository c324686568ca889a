// @ts-check
import { relative } from 'node:path'
import { formatSeconds } from '../format-seconds.mjs'

/** @typedef {{ name: string, startTime?: number, endTime?: number }} File */

const SHOWN_FROM_MS = 5_000

/**
 * How long each file of a vitest JSON report took, the slowest first; files under five seconds are one line together.
 * @param {{ testResults: File[] }} report
 * @returns {string}
 */
export function describeTimes({ testResults }) {
  const files = testResults
    .map(({ name, startTime = 0, endTime = 0 }) => ({ name, ms: Math.max(0, endTime - startTime) }))
    .sort((a, b) => b.ms - a.ms)
  const slow = files.filter(({ ms }) => ms >= SHOWN_FROM_MS)
  const others = files.slice(slow.length)
  const sum = others.reduce((total, { ms }) => total + ms, 0)
  return [
    ...slow.map(({ name, ms }) => line(ms, relative(process.cwd(), name))),
    ...(others.length > 0 ? [line(sum, `${others.length} files under 5 s`)] : []),
  ].join('\n')
}

/** @param {number} ms @param {string} what */
const line = (ms, what) => `${formatSeconds(ms).padStart(12)}  ${what}`
