import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { digestSchema } from '#lib/domain/digest/index.ts'
import { slugSchema } from '#lib/domain/record/index.ts'
import { countOf, parseJson, pluralForm } from '#lib/domain/text/index.ts'
import { writeAtomic } from '../../engine/files.ts'
import { suiteError } from '../../runner-error.ts'
import { describeFall, FALL_CODES } from './fall-reasons.ts'

const about = {
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  date: z.string(),
  subject: z.string(),
  /** Equal for two commits that make the same change; null = not computed. */
  change: digestSchema.nullable(),
}

const admittedSchema = z.object({
  ...about,
  verdict: z.literal('admitted'),
  taskId: slugSchema,
  /** Tests that fail before the commit and pass after it, every time. */
  turned: z.array(z.string()),
  expectedTests: z.number().int().nonnegative(),
  flakyTests: z.array(z.string()),
  /** Number of partial patches that are not solved, and thus prove the task. */
  wrong: z.number().int().nonnegative(),
  /** Changes that its tests do not detect. */
  notes: z.array(z.string()),
})

const fallenSchema = z.object({
  ...about,
  verdict: z.literal('fell out'),
  code: z.enum(FALL_CODES),
  detail: z.string(),
})

const judgedSchema = z.union([admittedSchema, fallenSchema])
export type JudgedCommit = z.infer<typeof judgedSchema>

/** `mined.json`: every judged commit with its result. */
const minedSchema = z.object({
  schemaVersion: z.literal(1),
  repository: z.string(),
  /** Covers what decides a verdict: results of other options must not be mixed. */
  options: digestSchema,
  counts: z.object({
    judged: z.number().int(),
    admitted: z.number().int(),
    fellOut: z.partialRecord(z.enum(FALL_CODES), z.number().int()),
  }),
  commits: z.array(judgedSchema),
})
export type Mined = z.infer<typeof minedSchema>

export const MINED_FILE = 'mined.json'

/** Reads the results so far of a folder; null = none. */
export function readMined(folder: string): Mined | null {
  const path = join(folder, MINED_FILE)
  if (!existsSync(path)) return null
  const parsed = minedSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (!parsed.success) throw suiteError(`${path} is broken: remove it, or choose another --out`)
  return parsed.data
}

/** Writes the results atomically. */
export async function writeMined(
  folder: string,
  what: Pick<Mined, 'repository' | 'options' | 'commits'>,
): Promise<Mined> {
  const mined: Mined = { schemaVersion: 1, ...what, counts: countJudged(what.commits) }
  await writeAtomic(join(folder, MINED_FILE), `${JSON.stringify(mined, null, 1)}\n`)
  return mined
}

function countJudged(commits: readonly JudgedCommit[]): Mined['counts'] {
  const fellOut: Mined['counts']['fellOut'] = {}
  for (const one of commits)
    if (one.verdict === 'fell out') fellOut[one.code] = (fellOut[one.code] ?? 0) + 1
  const admitted = commits.filter(({ verdict }) => verdict === 'admitted').length
  return { judged: commits.length, admitted, fellOut }
}

/** Formats one line of the table. */
export function describeJudged(one: JudgedCommit): string {
  const head = `${one.commit.slice(0, 10)} ${one.date}`
  if (one.verdict === 'fell out') return `${head} no task  ${describeFall(one)}`
  const tests = countOf(one.turned.length, 'test fails', 'tests fail')
  const by = pluralForm(one.turned.length, 'passes', 'pass')
  const flaky = one.flakyTests.length > 0 ? `, ${one.flakyTests.length} flaky` : ''
  const notes = one.notes.map((note) => `; ${note}`).join('')
  return `${head} task     ${one.taskId}: ${tests} before it and ${by} with it, of ${one.expectedTests}${flaky}${notes}`
}
