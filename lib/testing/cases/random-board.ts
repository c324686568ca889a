import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { database } from '#lib/db/database.ts'
import type { Db } from '#lib/db/db.ts'
import { appendEvaluation } from '#lib/db/evaluation-store.ts'
import { copyRegrades } from '#lib/db/regrade-store.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveEpisode } from '#lib/db/save-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import { POLICY_VERSION, RELEASED_PROGRAMS } from '#lib/domain/eligibility/index.ts'
import { registrationRequestSchema, voucherKey } from '#lib/domain/ledger/index.ts'
import {
  BUNDLE_KIND,
  type Episode,
  type EpisodeBody,
  expandPlan,
  freezePlan,
  type Plan,
  REGRADES_FILE,
  type Verifier,
} from '#lib/domain/record/index.ts'
import { seededGenerator } from '#lib/domain/statistics/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { correct, describeCorrection } from '#lib/server/care/corrections.ts'
import { registerPlan } from '#lib/server/ingest/registrations.ts'
import { submitBody } from '../corpora/submit-body.ts'
import {
  sampleContract,
  sampleEpisode,
  samplePlan,
  sampleSuite,
  sampleTests,
} from '../factories/samples.ts'

const SUITES = ['1.0.0', '2.0.0'].map((version) => sampleSuite(version))
/** Some names differ only in case. */
const NAMES = ['agent-a', 'Agent-a', 'agent-b'] as const
const SENDERS: readonly { provenance: 'local' | 'manual' | 'token'; actor: Actor }[] = [
  { provenance: 'local', actor: { kind: 'console', id: null, name: 'console' } },
  { provenance: 'manual', actor: { kind: 'user', id: 'u1', name: 'ann', role: 'admin' } },
  ...['one', 'two'].map((id) => ({
    provenance: 'token' as const,
    actor: { kind: 'token' as const, id, name: `ci ${id}`, scopes: ['results:write' as const] },
  })),
]
const VERIFIER: Verifier = {
  sandbox: 'bubblewrap',
  network: 'none',
  digest: [...RELEASED_PROGRAMS.verifiers][0] as Verifier['digest'],
}

type RandomRun = {
  runId: string
  plan: Plan
  sender: (typeof SENDERS)[number]
  episodes: Episode[]
  sent: Set<string>
}

/** A server on which random events happen, through the interfaces of senders, workers and administrators. */
export class RandomBoard {
  readonly #draw: ReturnType<typeof seededGenerator>
  readonly #seed: number
  readonly #runs: RandomRun[] = []
  #clock = Date.parse('2026-05-01T00:00:00.000Z')

  constructor(seed: number) {
    this.#seed = seed
    this.#draw = seededGenerator(seed)
  }

  chance(share: number): boolean {
    return this.#draw.nextUnit() < share
  }

  /** Performs one random action; refusals are expected and ignored. */
  async act(db: Db): Promise<void> {
    const deeds = [
      this.#newRun,
      this.#send,
      this.#send,
      this.#send,
      this.#evaluate,
      this.#regrade,
      this.#correct,
      this.#correct,
      this.#newVersion,
    ] as const
    try {
      await this.#pick(deeds).call(this, db)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#draw.nextBelow(list.length)] as T
  }

  #now(ms = 1000): Date {
    this.#clock += ms
    return new Date(this.#clock)
  }

  async #newVersion(db: Db): Promise<void> {
    const title = this.#pick(['Sample', 'Another title'])
    await saveSuite(db, { ...this.#pick(SUITES), title }, this.#now())
  }

  async #newRun(db: Db): Promise<void> {
    const earlier = this.#runs.length > 0 && this.chance(0.3) ? this.#pick(this.#runs).plan : null
    const plan = earlier ?? this.#freeze()
    const place = String(this.#runs.length).padStart(4, '0')
    const runId = `run_random${String(this.#seed).padStart(4, '0')}${place}`
    const episodes = this.#episodesOf(plan, runId)
    const run = { runId, plan, sender: this.#pick(SENDERS), episodes, sent: new Set<string>() }
    this.#runs.push(run)
    if (this.chance(0.6)) await this.#register(run, db)
  }

  #freeze(): Plan {
    const suite = this.#pick(SUITES)
    const timeoutMs = this.#pick([600_000, 630_000, 900_000])
    const { planDigest: _, frozenAt: __, schemaVersion: ___, ...draft } = samplePlan()
    return freezePlan(
      {
        ...draft,
        suiteDigest: suite.digest,
        repetitions: 5,
        policyVersion: POLICY_VERSION,
        tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
        subject: { ...draft.subject, kind: 'agent', name: this.#pick(NAMES) },
        settings: { ...draft.settings, isolation: 'bubblewrap', temperature: 0, timeoutMs },
      },
      { now: this.#now().toISOString() },
    )
  }

  #episodesOf(plan: Plan, runId: string): Episode[] {
    const copied = this.#runs.length > 0 && this.chance(0.15) ? this.#pick(this.#runs) : null
    return expandPlan(plan).map(({ taskId, repetition }) => {
      const like = copied?.episodes.find(
        (one) => one.taskId === taskId && one.repetition === repetition,
      )
      const startedAt = like?.startedAt ?? this.#now(2000).toISOString()
      const endedAt = new Date(Date.parse(startedAt) + 900).toISOString()
      const task = plan.tasks.find((one) => one.taskId === taskId)
      const { environment } = sampleEpisode()
      return sampleEpisode(
        {
          runId,
          taskId,
          repetition,
          startedAt,
          endedAt,
          mode: 'live',
          taskDigest: task?.digest ?? SUITES[0]?.digest,
          environment: { ...environment, isolation: 'bubblewrap', verifier: VERIFIER },
          ...this.#ending(taskId),
        } as Partial<EpisodeBody>,
        plan,
      )
    })
  }

  #ending(taskId: string): Partial<EpisodeBody> {
    const contract = sampleContract(sampleTests(taskId))
    if (this.chance(0.6)) return { contract }
    const failed = { agentSuccess: true, testSuccess: false, overallSuccess: false }
    if (this.chance(0.8))
      return {
        ...failed,
        failureCategory: 'test-failure',
        contract: { ...contract, verdict: 'fail' },
        outcome: { status: 'unsolved', reason: 'a test failed' },
      }
    return {
      ...failed,
      agentSuccess: false,
      failureCategory: 'provider',
      contract: null,
      outcome: { status: 'void', fault: 'provider', reason: 'it answered 503' },
    }
  }

  async #register({ runId, plan, sender }: RandomRun, db: Db): Promise<void> {
    const { provenance, actor } = sender
    const now = this.#now()
    if (provenance === 'local') {
      await saveRun(db, { runId, plan, provenance, jobId: null, registeredBy: 'tester' }, now)
      return
    }
    const again = this.chance(0.5)
    const request = registrationRequestSchema.parse({ plan, runs: [{ runId }], again })
    const voucher = voucherKey(provenance, actor)
    const who = { provenance, voucher, name: actor.name, bodyDigest: null }
    await registerPlan(db, { request, sender: who, actor, requestId: null, now })
  }

  async #send(db: Db): Promise<void> {
    if (this.#runs.length === 0) return
    const run = this.#pick(this.#runs)
    const { runId, plan, sender, sent } = run
    const { provenance, actor } = this.chance(0.9) ? sender : this.#pick(SENDERS)
    const some = run.episodes.filter(() => this.chance(0.7))
    if (some.length === 0) return
    if (provenance === 'local') {
      await saveRun(db, { runId, plan, provenance, jobId: null }, this.#now())
      for (const one of some) {
        const receipt = { provenance, directory: null, receivedAt: this.#now() } as const
        await saveEpisode(db, JSON.stringify(one), receipt)
        sent.add(one.episodeId)
      }
      return
    }
    const shell = {
      kind: BUNDLE_KIND,
      schemaVersion: 1,
      runId,
      plan,
      shard: { index: 1, count: 1 },
    }
    const bundle = JSON.stringify({ ...shell, lock: some[0]?.environment, episodes: some })
    const order = { provenance, actor, now: this.#now(60_000) }
    const { status } = await submitBody({ db, dir: env().dataDir }, bundle, order)
    if (status === 'committed') for (const { episodeId } of some) sent.add(episodeId)
  }

  #stored(): { run: RandomRun; episode: Episode } | null {
    const known = this.#runs.filter(({ sent }) => sent.size > 0)
    if (known.length === 0) return null
    const run = this.#pick(known)
    const own = run.episodes.filter(({ episodeId }) => run.sent.has(episodeId))
    return { run, episode: this.#pick(own) }
  }

  async #evaluate(db: Db): Promise<void> {
    const found = this.#stored()
    if (!found || found.run.sender.provenance === 'local') return
    const hasAgreed = this.chance(0.9)
    for (const { episodeId, seal, contract } of found.run.episodes) {
      if (!found.run.sent.has(episodeId) || !contract) continue
      const number = (await db.evaluation.count({ where: { episodeId } })) + 1
      await appendEvaluation(db, {
        episodeId,
        seal,
        number,
        at: this.#now().toISOString(),
        after: null,
        result: hasAgreed ? 'agreed' : 'disagreed',
        reason: hasAgreed ? null : 'why',
        verifier: VERIFIER,
        modelEvidence: 'not-needed',
      })
    }
  }

  /** Writes a regrade as the runner does; the worker copies it. */
  async #regrade(db: Db): Promise<void> {
    const found = this.#stored()
    if (!found?.episode.contract) return
    const { episodeId, runId, outcome, contract } = found.episode
    const before = { status: outcome.status, verdict: contract.verdict }
    const isSolved = before.status === 'solved'
    const other = { status: isSolved ? 'unsolved' : 'solved', verdict: isSolved ? 'fail' : 'pass' }
    const agrees = this.chance(0.4)
    const line = {
      at: this.#now().toISOString(),
      episodeId,
      path: 'episodes/x/regrade-1.json',
      gate: { version: '0.1.0', commit: null },
      before,
      after: agrees ? before : other,
      agrees,
    }
    mkdirSync(join(env().runsDir, runId), { recursive: true })
    appendFileSync(join(env().runsDir, runId, REGRADES_FILE), `${JSON.stringify(line)}\n`)
    await copyRegrades(db, env().runsDir)
  }

  async #correct(): Promise<void> {
    const found = this.#stored()
    if (!found) return
    const { episodeId, runId } = found.episode
    const rows = await database().boardRow.findMany({ select: { rowId: true } })
    const targets = [episodeId, runId, ...(rows.length > 0 ? [this.#pick(rows).rowId] : [])]
    const kind = this.#pick(['remove', 'include', 'invalidate', 'invalidate', 'reinstate'] as const)
    const target = kind === 'remove' || kind === 'include' ? runId : this.#pick(targets)
    const action = await describeCorrection(kind, target)
    await correct({ author: 'tester', reason: 'a test', action }, this.#now())
  }
}
