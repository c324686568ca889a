import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { digestJson } from '#lib/domain/digest/index.ts'
import { identifyEpisode, sealReported } from '#lib/domain/record/index.ts'
import { editTrial, first, later } from '#lib/testing/cases/edit-job.ts'
import { EscrowBoard, reasonsOf, senderOf } from '#lib/testing/cases/escrow-board.ts'
import { JOB_LIES } from '#lib/testing/cases/job-lies.ts'
import { packZip, zipFiles } from '#lib/testing/corpora/pack-zip.ts'
import { makeHarborJob } from '#lib/testing/factories/harbor-job.ts'

// @module-tag bubblewrap
vi.mock('../processes/spawn-runner.ts', async () => {
  const { runnerHere } = await import('#lib/testing/factories/runner-here.ts')
  return runnerHere()
})

let board: EscrowBoard
beforeAll(async () => {
  board = await EscrowBoard.start()
})
afterAll(() => board.close())

describe('a job folder of Harbor in escrow', () => {
  it('is ranked among such entries, and says what only its harness can say', async () => {
    const { files } = await board.prepare('2.0.1', {
      isSolved: (task, attempt) => task !== 'river' || attempt === 1,
    })
    expect(await board.refusalOf(files)).toBeNull()
    const row = await board.rowOf('2.0.1')
    expect(reasonsOf(row)).toEqual({
      mode: expect.stringContaining('reported by another program'),
      pins: expect.stringContaining('environment'),
      harness: expect.stringContaining('harbor 0.24.0'),
      unmetered: expect.stringContaining('12 of 12 episodes'),
    })
    expect([row?.label, row?.rank?.low, row?.evaluatedHere?.agreed]).toEqual(['escrow', 1, 12])
    expect(row?.success).toMatchObject({ tasks: 4, attempts: 12 })
    expect(row?.registration?.status).toBe('registered')
    expect(await board.rebuild()).toBe(await board.text())
  })
})

describe('a lie about a job', () => {
  let honest: Awaited<ReturnType<EscrowBoard['prepare']>>
  beforeAll(async () => {
    honest = await board.prepare('3.0.0')
  })

  it.each(JOB_LIES)('is refused by name: $name ($code)', async ({ code, tell }) => {
    const said = (await board.refusalOf(tell(honest.files))) ?? 'stored'
    expect(said).toContain(`this job is refused (${code}): `)
    expect(/more contradictions?: (.*)\)$/.exec(said)?.[1] ?? code).toBe(code)
  })

  it('about the plan: another one than was registered', async () => {
    const plan = JSON.parse(honest.files['plan.json'] ?? '')
    const edited = { ...plan, settings: { ...plan.settings, maxSteps: 1000 } }
    expect(
      await board.refusalOf({ ...honest.files, 'plan.json': JSON.stringify(edited) }),
    ).toContain('it was edited after it was frozen')
    const { planDigest: _, frozenAt: __, ...covered } = edited
    const planDigest = digestJson(covered)
    expect(
      await board.refusalOf({
        ...honest.files,
        'plan.json': JSON.stringify({ ...edited, planDigest }),
      }),
    ).toContain('refused (plan-changed)')
  })

  it('about the registration: none, after the start, by another sender, or none of the folder', async () => {
    const plan = await board.freeze('3.0.1')
    const runId = 'run_unregistered0'
    const made = makeHarborJob({ jobName: runId, at: new Date(), version: '3.0.1' })
    const files = { ...made, 'plan.json': JSON.stringify(plan) }
    expect(await board.refusalOf(files)).toContain('refused (unregistered)')
    const at = await board.register(plan, runId)
    const early = makeHarborJob({
      jobName: runId,
      at: new Date(at.getTime() - 60_000),
      version: '3.0.1',
    })
    expect(await board.refusalOf({ ...early, 'plan.json': JSON.stringify(plan) })).toContain(
      'refused (started-early)',
    )
    expect(await board.refusalOf(files, senderOf('t2'))).toContain(
      'was registered by another sender',
    )
  })

  it('about times: an attempt in the future', async () => {
    const { runId, plan } = honest
    const at = new Date(Date.now() + 3_600_000)
    const files = makeHarborJob({ jobName: runId, at, version: '3.0.0' })
    expect(await board.refusalOf({ ...files, 'plan.json': JSON.stringify(plan) })).toContain(
      'is in the future',
    )
  })

  it('about the archive: links, paths that leave it, and too much', async () => {
    const files = zipFiles(honest.files)
    const link = {
      name: `${first(honest.files)}/artifacts/app/x`,
      bytes: Buffer.from('/etc/passwd'),
    }
    expect(await board.refusalOf(packZip([...files, { ...link, mode: 0o120777 }]))).toContain(
      'is a link',
    )
    expect(await board.refusalOf(packZip([...files, { ...link, name: '../x' }]))).toContain(
      'invalid relative path',
    )
    const huge = { name: `${first(honest.files)}/artifacts/app/y`, bytes: Buffer.alloc(40 << 20) }
    expect(await board.refusalOf(packZip([...files, huge]))).toMatch(/unpacks to|compress/)
    const noise = { ...huge, bytes: randomBytes(33 << 20) }
    expect(await board.refusalOf(packZip([...files, noise]))).toContain('(final-state-size)')
  })

  it('about itself: an envelope that says it is in escrow', async () => {
    const { envelope } = await board.db.episode.findFirstOrThrow({ where: { mode: 'reported' } })
    expect(await board.refusalOf(Buffer.from(envelope))).toContain('submit the job folder itself')
    // The same under a plan that Proofboard runs.
    const { escrow: _, planDigest: __, ...rest } = await board.freeze('3.0.2')
    const { frozenAt, ...covered } = rest
    const plan = { ...covered, frozenAt, planDigest: digestJson(covered) }
    const runId = 'run_notinescrow0'
    await board.register(plan, runId)
    const { seal: ___, ...body } = JSON.parse(envelope)
    const { subject, settings, planDigest } = plan
    const own = { ...body, runId, planDigest, subject: { ...body.subject, ...subject, settings } }
    const episode = sealReported({ ...own, episodeId: identifyEpisode({ ...own, subject }) })
    const zip = zipFiles({
      'plan.json': JSON.stringify(plan),
      [`episodes/${episode.taskId}/r1-a1/episode.json`]: JSON.stringify(episode),
    })
    expect(await board.refusalOf(packZip(zip))).toContain('is only for a job folder')
  })

  it('after it was handed in: a file more, or another result', async () => {
    const { files } = honest
    expect(await board.refusalOf(files)).toBeNull()
    expect(await board.refusalOf(files)).toBeNull()
    const more = { ...files, [`${first(files)}/agent/notes.txt`]: 'added later\n' }
    expect(await board.refusalOf(more)).toContain('already stored with different content')
    const other = editTrial(files, 'greet', (one) => {
      one.finished_at = later(one.finished_at, 10)
    })
    expect(await board.refusalOf(other)).toContain('already stored with different content')
  })
})
