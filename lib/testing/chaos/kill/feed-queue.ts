import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { enqueueJob, queueState } from '#lib/db/job-store.ts'
import { freezePlan, type Plan, planSchema } from '#lib/domain/record/index.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import type { Db } from '../../../db/db.ts'
import { SUITE_ID, type TestEnvironment } from './system.ts'

const REPETITIONS = 2
const CONCURRENCY = 2
/** Number of jobs that are always queued. */
const WAITING = 2
/** The maximum of a plan: interrupted attempts are excluded, and here many are. */
const MAX_ATTEMPTS = 10

/** The plans of the jobs, in rotation: mostly the slow command, between the controls. */
export async function freezePlans(ground: TestEnvironment): Promise<Plan[]> {
  const command = [
    '--command',
    ground.agent,
    '--name',
    'slow-command',
    '--subject-version',
    '1.0.0',
    // Its files are on this machine, and it is killed from outside.
    '--isolation',
    'local',
  ]
  const slow = await freezeOne(ground, 'slow', command)
  const flaky = await freezeOne(ground, 'flaky', ['--subject', 'flaky'])
  const reference = await freezeOne(ground, 'reference', ['--subject', 'reference'])
  return [slow, flaky, slow, reference]
}

async function freezeOne(
  { root, dataDir }: TestEnvironment,
  name: string,
  subject: string[],
): Promise<Plan> {
  const out = join(root, `${name}.json`)
  const args = ['--suite', SUITE_ID, '--repetitions', String(REPETITIONS), '--out', out, '--json']
  const { code, stdout, stderr } = await startProofboard(dataDir, ['plan', ...args, ...subject])
    .ended
  if (code !== 0) throw new Error(`no plan for ${name}: ${stderr}`)
  lastJson(stdout)
  const plan = planSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
  const { planDigest: _, frozenAt, schemaVersion: __, ...draft } = plan
  const settings = { ...draft.settings, maxAttempts: MAX_ATTEMPTS }
  return freezePlan({ ...draft, settings }, { now: frozenAt })
}

/** Keeps the queue filled; calls do not overlap. */
export class Feeder {
  readonly #db: Db
  readonly #plans: readonly Plan[]
  #fed = 0

  constructor(db: Db, plans: readonly Plan[]) {
    this.#db = db
    this.#plans = plans
  }

  get fed(): number {
    return this.#fed
  }

  async fill(): Promise<void> {
    const { queued } = await queueState(this.#db)
    for (let waiting = queued; waiting < WAITING; waiting++) await this.#feed()
  }

  async #feed(): Promise<void> {
    const plan = this.#plans[this.#fed % this.#plans.length]
    if (!plan) throw new Error('there is no plan to run')
    this.#fed += 1
    const subject = plan.subject.name
    const payload = {
      suiteId: SUITE_ID,
      subject,
      repetitions: REPETITIONS,
      concurrency: CONCURRENCY,
    }
    const frozen = { plan: JSON.stringify(plan), planDigest: plan.planDigest }
    await enqueueJob(this.#db, payload, new Date(), { frozen })
  }
}
