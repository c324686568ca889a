import { existsSync } from 'node:fs'
import { readKept } from '#lib/db/read-kept.ts'
import type { ArchivedRun } from '#lib/domain/archive/archive.ts'
import { suiteFromPlans } from '#lib/domain/archive/suite-from-plans.ts'
import { type Suite, suiteSchema } from '#lib/domain/suite.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { askRunner } from '#lib/jobs/spawn-runner.ts'
import { parseSuiteRows } from './parse-suite-rows.ts'

/** A suite and where its titles come from, in words for the person who reads the board. */
export type FoundSuite = { suite: Suite; origin: string }

/**
 * The suite that runs without an archive were made on: this server's, if the digest fits, else what is installed here,
 * else what the plans say. Throws an AppError when none covers the whole suite.
 */
export async function findSuiteText(
  suiteId: string,
  digest: string,
  runs: readonly ArchivedRun[],
): Promise<FoundSuite> {
  const kept = readKeptSuite(digest)
  if (kept) return { suite: kept, origin: `the texts of suite ${suiteId} are this server's` }
  const installed = await askSuite(suiteId)
  if (installed?.digest === digest)
    return { suite: installed, origin: `the texts of suite ${suiteId} are those installed here` }
  const plans = runs.flatMap(({ plan }) => (plan.suiteDigest === digest ? plan : []))
  const suite = suiteFromPlans(plans)
  if (suite) {
    const origin = `suite ${suiteId} in this version is not known here: its tasks are those of the plans, without titles and difficulties`
    return { suite, origin }
  }
  const message = `suite ${suiteId} in version ${digest} is not known here, and the plans do not have all of its tasks: give an archive (proofboard board export) instead`
  throw new AppError('not-found', message)
}

function readKeptSuite(digest: string): Suite | null {
  const { databaseFile, migrationsDir } = env()
  if (!existsSync(databaseFile)) return null
  try {
    const { suites } = parseSuiteRows(readKept(databaseFile, migrationsDir))
    return suites.find((suite) => suite.digest === digest) ?? null
  } catch (error) {
    if (error instanceof AppError) return null // there are other places to look
    throw error
  }
}

async function askSuite(suiteId: string): Promise<Suite | null> {
  const args = ['suite', 'show', suiteId, '--json']
  const { answer } = await askRunner(args, new AbortController().signal)
  const suite = (answer as { suite?: unknown } | null)?.suite
  return suiteSchema.safeParse(suite).data ?? null
}
