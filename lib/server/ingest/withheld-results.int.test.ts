import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refreshBoard } from '#lib/db/refresh-board.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import type { Actor } from '#lib/domain/accounts/index.ts'
import { type BoardRow, rowNotices, serializeBoard } from '#lib/domain/board/index.ts'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { senderOfActor } from '#lib/domain/ledger/index.ts'
import {
  BUNDLE_KIND,
  digestArm,
  type EpisodeBody,
  entryOf,
  expandPlan,
  type Plan,
  type PlanDraft,
} from '#lib/domain/record/index.ts'
import { exportArchive } from '#lib/server/care/export-archive.ts'
import { rebuild } from '#lib/server/care/rebuild-archive.ts'
import { isNight } from '#lib/testing/cases/at-night.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { correct } from '../care/corrections.ts'
import { registerPlan } from './registrations.ts'

// Results that a sender withholds, in every way of sending. The project `postgresql` repeats this on PostgreSQL.
const temporary = databaseForEach()
const suite = sampleSuite()

type Sender = { actor: Actor; provenance: 'token' | 'oidc' | 'manual' }
type Way = { registers: Sender; sends: Sender; shards: number }

const token = (id: string, account?: string): Sender => ({
  provenance: 'token',
  actor: { kind: 'token', id, name: id, scopes: ['results:write'], ...(account && { account }) },
})
const workflow: Sender = {
  provenance: 'oidc',
  actor: {
    kind: 'workflow',
    id: 'https://ci 1',
    name: 'acme/bench',
    account: 'owner:https://ci 2',
  },
}
const person: Sender = {
  provenance: 'manual',
  actor: { kind: 'user', id: 'u1', name: 'a@b.example', role: 'admin' },
}
const same = (sender: Sender, shards = 1): Way => ({ registers: sender, sends: sender, shards })
const WAYS: Readonly<Record<string, Way>> = {
  'by a token': same(token('t1')),
  'by another token of the account': {
    registers: token('t1', 'account:u1'),
    sends: token('t2', 'account:u1'),
    shards: 1,
  },
  'by a workflow': same(workflow),
  'by an upload in the browser': same(person),
  'in two shards': same(token('t1'), 2),
}

let clock = 0
const now = () => {
  clock = Math.max(Date.now(), clock + 100)
  return new Date(clock)
}

function planOf(changes: { subject?: object; settings?: object; plan?: Partial<PlanDraft> } = {}) {
  const { subject, settings } = samplePlan()
  return samplePlan({
    suiteDigest: suite.digest,
    tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: { ...subject, kind: 'agent', name: 'mine', modelRequested: 'm-1', ...changes.subject },
    settings: { ...settings, maxTokens: 1000, ...changes.settings },
    policyVersion: POLICY_VERSION,
    repetitions: 5,
    ...changes.plan,
  })
}

type Sent = (place: { index: number; arm: string | undefined }) => Partial<EpisodeBody>[]

/** Sends in one way. */
class Opponent {
  readonly #runIds: string[] = []
  readonly #way: Way

  constructor(way: Way) {
    this.#way = way
  }

  get runIds(): string[] {
    return [...this.#runIds]
  }

  async register(plan: Plan, count = 1): Promise<string[]> {
    const ids = Array.from(
      { length: count },
      (_, at) => `run_opponent${100 + this.#runIds.length + at}`,
    )
    this.#runIds.push(...ids)
    const runs = ids.map((runId, at) => ({
      runId,
      shard: count > 1 ? { index: at + 1, count } : null,
    }))
    const { actor, provenance } = this.#way.registers
    const sender = senderOfActor(actor, provenance, digestBytes(ids.join()))
    const request = { plan, runs, again: true } as Parameters<typeof registerPlan>[1]['request']
    await registerPlan(temporary.db, { request, sender, actor, requestId: null, now: now() })
    return ids
  }

  /** Registers a plan and sends it; returns the first run. `isEarly`: it ended before the registration. */
  async measure(plan: Plan, sent: Sent = () => [{}], isEarly = false): Promise<string> {
    const { shards } = this.#way
    const early = new Date(now().getTime() - 20_000)
    const ids = await this.register(plan, shards)
    for (const [at, runId] of ids.entries()) {
      const shard = { index: at + 1, count: shards }
      const startedAt = isEarly ? early : now()
      const episodes = expandPlan(plan, shard).flatMap(
        ({ taskId, taskDigest, repetition, arm }, index) =>
          sent({ index: index * shards + at, arm }).map((changes, attempt) => {
            const start = startedAt.getTime() + index
            const slot = { taskId, taskDigest, repetition, attempt: attempt + 1 }
            const { subject, settings } = entryOf(plan, arm) ?? plan
            return sampleEpisode(
              {
                runId,
                ...slot,
                mode: 'live',
                startedAt: new Date(start).toISOString(),
                endedAt: new Date(start + 40).toISOString(),
                subject: { ...subject, modelObserved: ['m-1'], settings },
                ...changes,
              },
              plan,
            )
          }),
      )
      const body = { runId, plan, shard, lock: episodes[0]?.environment ?? null, episodes }
      clock += 2000
      const text = JSON.stringify({ kind: BUNDLE_KIND, schemaVersion: 1, ...body })
      const { status, preview } = await submitBody(temporary, text, {
        ...this.#way.sends,
        now: now(),
      })
      expect(status, JSON.stringify(preview.items)).toBe('committed')
    }
    return ids[0] ?? ''
  }
}

const CANCELLED: Partial<EpisodeBody> = {
  outcome: { status: 'cancelled', reason: 'it was stopped' },
  failureCategory: 'infrastructure',
  contract: null,
  agentSuccess: false,
  testSuccess: false,
  overallSuccess: false,
}
const arm = (name: string, promptPrefix?: string) => {
  const content = { files: [], mcpServers: [], ...(promptPrefix && { promptPrefix }) }
  return { name, digest: digestArm(content), ...content }
}

type Attack = {
  play: (opponent: Opponent) => Promise<string>
  /** The rule that it does not meet, or the text beside its rate. */
  shows: string | RegExp
}
const ATTACKS: Readonly<Record<string, Attack>> = {
  'planned episodes that a top-up replaces': {
    shows: 'void-attempts',
    play: async (opponent) => {
      const plan = planOf()
      const runId = await opponent.measure(plan, ({ index }) => (index < 8 ? [{}] : []))
      const tasks = plan.tasks.map((task) => ({ ...task, repetitions: [98, 99] }))
      const topUpOf = { rowId: `row_${'0'.repeat(24)}`, runIds: opponent.runIds }
      await opponent.measure(planOf({ plan: { tasks, topUpOf } }))
      return runId
    },
  },
  'failures that were cancelled and run again': {
    shows: 'void-attempts',
    play: (opponent) =>
      opponent.measure(planOf(), ({ index }) => (index % 3 === 0 ? [CANCELLED, {}] : [{}])),
  },
  'a second registered run': {
    shows: 'registered',
    play: async (opponent) => {
      await opponent.register(planOf())
      return opponent.measure(planOf())
    },
  },
  'plans of the same model under other prefixes': {
    shows: 'registered',
    play: async (opponent) => {
      await opponent.register(planOf({ subject: { modelRequested: 'vendor/m-1' } }))
      return opponent.measure(planOf())
    },
  },
  'plans whose instruction has other spaces': {
    shows: 'registered',
    play: async (opponent) => {
      await opponent.register(planOf({ settings: { customInstruction: 'Be quick. ' } }))
      return opponent.measure(planOf({ settings: { customInstruction: 'Be quick.' } }))
    },
  },
  'the time before the registration': {
    shows: 'registered',
    play: (opponent) => opponent.measure(planOf(), undefined, true),
  },
  'the other arms of a run': {
    shows: 'complete',
    play: (opponent) => {
      const arms = [arm('baseline'), arm('skill-a', 'Think.'), arm('skill-b', 'Think twice.')]
      const plan = planOf({ plan: { arms, repetitions: 15 } })
      return opponent.measure(plan, ({ arm: name }) => (name === 'skill-a' ? [{}] : []))
    },
  },
  'plans of the same agent under other names': {
    shows: /other registered plans? of its sender/,
    play: async (opponent) => {
      await opponent.register(planOf({ subject: { name: 'yours' } }))
      return opponent.measure(planOf())
    },
  },
  'another version, settled by one episode': {
    shows: /1 unfinished entry of this/,
    play: async (opponent) => {
      const other = planOf({ subject: { version: '2.0.0' } })
      await opponent.measure(other, ({ index }) => (index < 2 ? [CANCELLED] : []))
      return opponent.measure(planOf())
    },
  },
  'the worse half of a split': {
    shows: /one of 2 entries of this/,
    play: async (opponent) => {
      await opponent.measure(planOf({ settings: { maxTokens: 5000 } }), () => [{}])
      return opponent.measure(planOf())
    },
  },
  'a run that was removed from the ledger': {
    shows: /removed from the ledger/,
    play: async (opponent) => {
      const ids = opponent.runIds
      await opponent.measure(planOf({ settings: { maxTokens: 5000 } }))
      const bad = opponent.runIds.slice(ids.length)
      const good = await opponent.measure(planOf())
      for (const target of bad)
        await correct({ author: 'a', reason: 'wrong', action: { kind: 'remove', target } }, now())
      return good
    },
  },
}

/**
 * Every attack in the first way, and every third in each other one, at night all: a way changes who is known as the
 * sender, an attack what is withheld.
 */
function attacksIn(name: string) {
  const place = Object.keys(WAYS).indexOf(name)
  const isChosen = (at: number) => isNight || place === 0 || at % 3 === place % 3
  return Object.entries(ATTACKS).filter((_, at) => isChosen(at))
}

describe.each(Object.entries(WAYS))('%s', (name, way) => {
  it.each(attacksIn(name))('shows %s', async (_name, { play, shows }) => {
    await saveSuite(temporary.db, suite, now())
    const runId = await play(new Opponent(way))
    const board = await refreshBoard(temporary.db, suite, now())
    const row = board.rows.find(({ runIds }) => runIds.includes(runId)) as BoardRow
    const parts = [...row.refusals.map(({ code }) => code), ...rowNotices(row)]
    expect(parts).toContainEqual(typeof shows === 'string' ? shows : expect.stringMatching(shows))
    if (way.sends === person) expect(parts, 'a file has no verified sender').toContain('provenance')

    const archive = join(temporary.dir, 'archive')
    await exportArchive(temporary.dir, archive)
    const again = await rebuild(archive, { suiteId: suite.suiteId, version: null })
    expect(again.text, 'the archive has the same board').toBe(serializeBoard(board))
  })
})
