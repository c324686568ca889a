import { describe, expect, it } from 'vitest'
import { listLedger } from '#lib/db/ledger-store.ts'
import { saveRegistration } from '#lib/db/plan-store.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/index.ts'
import { BUNDLE_KIND, type EpisodeBody, type PlanDraft } from '#lib/domain/record/index.ts'
import { smallBundle } from '#lib/testing/corpora/small-bundle.ts'
import { CONSOLE, receiveBody, submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { sampleEpisode, samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import { previewResults } from './preview-results.ts'

const temporary = databaseForEach()

const byToken = (id: string) =>
  ({
    provenance: 'token',
    actor: { kind: 'token', id, name: `${id} nightly`, scopes: ['results:write'] },
  }) as const
const byWorkflow = (repository: string) =>
  ({
    provenance: 'oidc',
    actor: { kind: 'workflow', id: `https://issuer.example ${repository}`, name: 'acme/bench' },
  }) as const

async function everything(): Promise<string> {
  const { db } = temporary
  const [runs, episodes, audit] = [db.run.findMany(), db.episode.findMany(), db.auditEntry.count()]
  return JSON.stringify([await runs, await episodes, await audit, await listLedger(db)])
}

describe('a run that is not finished', () => {
  const [half, whole] = [smallBundle({ episodes: 1 }), smallBundle({ episodes: 4 })]

  it.each([
    ['a token', byToken('t1'), byToken('t2')],
    ['a workflow', byWorkflow('1'), byWorkflow('2')],
  ])(
    'takes nothing from another sender when %s sent it, and the rest from its sender',
    async (_, mine, theirs) => {
      expect((await submitBody(temporary, half, mine)).status).toBe('committed')
      const before = await everything()
      const { preview } = await submitBody(temporary, whole, theirs)
      expect(preview.items[0]?.message).toContain('belongs to another sender')
      const shown = await previewResults(
        temporary.db,
        await receiveBody(temporary.dir, whole, theirs),
      )
      expect(shown.items[0]?.message, 'a dry run says so too').toContain(
        'belongs to another sender',
      )
      expect(await everything()).toBe(before)
      expect((await submitBody(temporary, whole, mine)).status).toBe('committed')
      expect(await temporary.db.episode.count()).toBe(4)
    },
  )

  it('that an administrator uploaded may be finished by any of them, and by no token', async () => {
    await submitBody(temporary, half)
    expect((await submitBody(temporary, whole, byToken('t1'))).status).toBe('refused')
    const admin = { kind: 'user', id: 'u2', name: 'b@c.example', role: 'admin' } as const
    expect((await submitBody(temporary, whole, { actor: admin })).status).toBe('committed')
  })

  it('is in the ledger with its sender and the policy of the day', async () => {
    await submitBody(temporary, half, byToken('t1'))
    const [entry] = await listLedger(temporary.db)
    expect(entry?.action).toMatchObject({
      kind: 'include',
      voucher: 'token:t1',
      policyVersion: POLICY_VERSION,
    })
  })
})

describe('results that belong to another sender by their name', () => {
  function bundle(
    subject: Partial<PlanDraft['subject']>,
    of = samplePlan(),
    changes: Partial<EpisodeBody> = {},
  ): string {
    const plan = samplePlan({
      suiteDigest: of.suiteDigest,
      tasks: of.tasks,
      subject: { ...samplePlan().subject, ...subject },
    })
    const [task] = plan.tasks
    const slot = { taskId: task?.taskId ?? '', taskDigest: task?.digest ?? plan.planDigest }
    return JSON.stringify({
      kind: BUNDLE_KIND,
      schemaVersion: 1,
      runId: 'run_sample0001',
      plan,
      shard: { index: 1, count: 1 },
      lock: sampleEpisode().environment,
      episodes: [sampleEpisode({ ...slot, ...changes }, plan)],
    })
  }
  const agent = { kind: 'agent', name: 'mine', modelRequested: 'model-1' } as const

  it.each<[string, Partial<PlanDraft['subject']>, string]>([
    ['zero width', { ...agent, modelRequested: 'mod\u200bel-1' }, 'invisible character (U+200B)'],
    ['bidi', { ...agent, provider: '\u202eopenai' }, 'invisible character (U+202E)'],
    ['Cyrillic', { ...agent, modelRequested: 'm\u043edel-1' }, 'U+043E, which looks like "o"'],
    ['full width', { ...agent, version: '\uff11.0' }, 'NFKC'],
    [
      'a shipped name',
      { ...agent, name: 'Claude' },
      'looks like claude, which is included in Proofboard',
    ],
  ])('are refused at once: %s', async (_, subject, words) => {
    const { status, preview } = await submitBody(temporary, bundle(subject), byToken('t1'))
    expect(status).toBe('refused')
    expect(preview.items[0]?.path).toContain('plan.subject.')
    expect(preview.items[0]?.message).toContain(words)
    expect(await everything()).toBe('[[],[],0,[]]')
  })

  it('are refused when they come as a kind that the suite does not measure', async () => {
    const suite = sampleSuite()
    await saveSuite(temporary.db, suite, new Date('2026-01-01T00:00:00.000Z'))
    const of = samplePlan({
      suiteDigest: suite.digest,
      tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    })
    const library = bundle({ kind: 'library', name: 'mine' }, of)
    const { status, preview } = await submitBody(temporary, library, byToken('t1'))
    expect(status).toBe('refused')
    expect(preview.items[0]?.message).toBe(
      'is library, and sample measures only agents and controls',
    )
    expect((await submitBody(temporary, bundle(agent, of), byToken('t1'))).status).toBe('committed')
  })
})

it('attempt four of at most three is refused with its slot', async () => {
  const plan = samplePlan()
  const reason = 'the provider failed'
  const lost: Partial<EpisodeBody> = {
    outcome: { status: 'void', fault: 'provider', reason },
    failureCategory: 'provider',
    contract: null,
    agentSuccess: false,
    testSuccess: false,
    overallSuccess: false,
  }
  const attempts = [1, 2, 3, 4].map((attempt) =>
    sampleEpisode({ attempt, ...(attempt < 4 ? lost : {}) }, plan),
  )
  const body = JSON.stringify({
    kind: BUNDLE_KIND,
    schemaVersion: 1,
    runId: 'run_sample0001',
    plan,
    shard: null,
    lock: sampleEpisode().environment,
    episodes: attempts,
  })
  const { status, preview } = await submitBody(temporary, body, { actor: CONSOLE })
  expect(status).toBe('refused')
  expect(preview.items[0]?.message).toContain('is attempt 4 of alpha, repetition 1')
})

describe('a registered run', () => {
  const runId = 'run_sample0001'
  const register = (voucher: string) =>
    inTransaction(temporary.db, (tx) => {
      const sender = { provenance: 'token', voucher, name: voucher, bodyDigest: null } as const
      const plan = samplePlan()
      const runs = [{ runId, shard: null }]
      const request = { planDigest: plan.planDigest, plan, runs, expected: 1, sender }
      return saveRegistration(tx, request, new Date('2026-01-01T00:00:00.000Z'))
    })

  it('is taken from its sender alone, who would owe it for ever else', async () => {
    await register('token:t1')
    const before = await everything()
    for (const other of [byToken('t2'), byWorkflow('1'), {}]) {
      const { status, preview } = await submitBody(temporary, smallBundle(), other)
      expect(status).toBe('refused')
      expect(preview.items[0]?.message).toContain('was registered by another sender')
    }
    const shown = await previewResults(
      temporary.db,
      await receiveBody(temporary.dir, smallBundle(), byToken('t2')),
    )
    expect(shown.items[0]?.message).toContain('was registered by another sender')
    expect(await everything()).toBe(before)
    expect((await submitBody(temporary, smallBundle(), byToken('t1'))).status).toBe('committed')
  })

  it('cannot be moved behind its registration: what ends later than it is sent is in the future', async () => {
    const { endedAt } = sampleEpisode()
    const sentBefore = (ms: number) => ({ now: new Date(Date.parse(endedAt) - ms) })
    const { status, preview } = await submitBody(temporary, smallBundle(), sentBefore(31_000))
    expect([status, preview.items[0]?.message]).toEqual(['refused', 'is in the future'])
    expect((await submitBody(temporary, smallBundle(), sentBefore(29_000))).status).toBe(
      'committed',
    )
  })
})
