import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { planSchema } from '../../domain/record/index.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { lastJson, startProofboard, temporarySuite } from '../factories/proofboard-command.ts'

let root = ''

/** Gives each test of a file its own folder with `small`, a suite of three exercises. */
export function withSmallSuite(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
    temporarySuite(join(root, 'data'), 'small', ['glob-matcher', 'lru-cache', 'rate-limiter'])
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
}

export const place = (name: string) => join(root, name)

/** Runs a command line in this process; `more` arguments are passed as they are. */
export const proofboard = (line: string, ...more: string[]) =>
  proofboardHere(place('data'), [...line.split(' '), ...more])

/** Runs it in a separate process, which can be killed. */
export const start = (line: string, ...more: string[]) =>
  startProofboard(place('data'), [...line.split(' '), ...more])

export const readPlan = (name: string) =>
  planSchema.parse(JSON.parse(readFileSync(place(name), 'utf8')))

/** The repetitions of a plan. */
export const repetitions = (name: string) =>
  Object.fromEntries(readPlan(name).tasks.map((task) => [task.taskId, task.repetitions]))

/** Reasons of the evidence rules about samples, for these results together. */
export async function aboutSamples(...names: string[]): Promise<string[]> {
  const files = names.map((name) => join(place(name), 'result.json'))
  const { stdout } = await proofboard('check --json', ...files)
  const rows = lastJson(stdout).rows as { reasons: { code: string }[] }[]
  expect(rows).toHaveLength(1)
  return rows.flatMap(({ reasons }) => reasons.map(({ code }) => code)).filter(isAboutSamples)
}

const isAboutSamples = (code: string) => code === 'samples' || code === 'complete'
