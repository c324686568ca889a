import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Digest } from '#lib/domain/digest/index.ts'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { forgeRunArchive, type RealRun } from '#lib/testing/corpora/real-run.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { writeHarborTask } from '../harbor/harbor-task.fixture.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-judged-again-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function play(suite: string, folder: string): Promise<RealRun> {
  const args = ['run', '--subject', 'reference', '--suite', suite, '--json', '--out', folder]
  const { code, stdout, stderr } = await proofboardHere(dataDir, args)
  expect([code, lastJson(stdout).solved], stderr).toEqual([0, 1])
  const runId = String(lastJson(stdout).runId)
  return { dataDir, folder, runId, bundle: readFileSync(join(folder, 'result.json'), 'utf8') }
}

/**
 * Returns what the server's runner reports about the first episode of a run, with another patch in place of its own.
 */
async function evaluate(
  suiteId: string,
  run: RealRun,
  solution?: string,
  change: (episode: EpisodeBody) => Partial<EpisodeBody> = () => ({}),
) {
  const own = solution === undefined ? {} : { solution }
  const forgery = { runId: 'run_forged00001', change, ...own }
  const { bundle } = forgeRunArchive(run, forgery)
  const [episode] = (JSON.parse(bundle) as { episodes: Record<string, never>[] }).episodes
  const folder = mkdtempSync(join(dataDir, 'sent-'))
  cpSync(join(run.folder, 'episodes', `${episode?.taskId}`, 'r1-a1'), folder, { recursive: true })
  if (solution !== undefined) writeFileSync(join(folder, 'solution/changes.json'), solution)
  const file = join(folder, 'order.json')
  const envelope = JSON.stringify(episode)
  writeFileSync(file, JSON.stringify({ suiteId, episodes: [{ envelope, folder }] }))
  const { code, stdout, stderr } = await proofboardHere(dataDir, ['evaluate', '--order', file])
  expect(code, stderr).toBe(0)
  return lastJson(stdout)
}

describe('an uploaded patch', { tags: 'bubblewrap', timeout: 300_000 }, () => {
  let run: RealRun
  beforeAll(async () => {
    const suite = join(dataDir, 'suites', 'small')
    mkdirSync(suite, { recursive: true })
    const about = {
      suiteId: 'small',
      kind: 'repository',
      title: 'small',
      description: '',
      version: '1',
    }
    writeFileSync(join(suite, 'suite.json'), JSON.stringify(about))
    cpSync('exercises/repository/kv-expiry', join(suite, 'kv-expiry'), { recursive: true })
    run = await play('small', join(dataDir, 'run'))
  }, 300_000)

  const changesOf = () =>
    JSON.parse(
      readFileSync(join(run.folder, 'episodes/kv-expiry/r1-a1/solution/changes.json'), 'utf8'),
    ) as { path: string; executable: boolean; text?: string }[]

  it('that solves its task is agreed with', async () => {
    expect(await evaluate('small', run)).toMatchObject({
      result: 'agreed',
      after: { status: 'solved', verdict: 'pass' },
    })
  })

  it('that solves its task may be regraded', { tags: 'night' }, async () => {
    const regraded = await proofboardHere(dataDir, ['regrade', run.folder, '--json'])
    expect(lastJson(regraded.stdout), regraded.stderr).toMatchObject({ regraded: 1, agree: 1 })
  })

  it('that does not solve it, and was sent as solved, is found', { tags: 'night' }, async () => {
    expect(await evaluate('small', run, '[]')).toMatchObject({
      result: 'disagreed',
      reason: 'sent as solved, is unsolved here with verdict fail',
      after: { status: 'unsolved', verdict: 'fail' },
    })
  })

  it('that brings its own test command is found, although it was not collected from a workspace', async () => {
    const lying = [
      ...changesOf(),
      { path: 'package.json', executable: false, text: '{"type":"module"}' },
    ]
    expect(await evaluate('small', run, JSON.stringify(lying))).toMatchObject({
      result: 'disagreed',
      reason: expect.stringContaining('protected-file-changed'),
      after: { status: 'tampered', verdict: 'fail' },
    })
  })

  it('that its sender calls tampered stays so, though what was stored of it would solve the task', async () => {
    const [label, observed] = ['the work can be taken as a patch', 'out is a link to /etc/passwd']
    const untaken = ({ contract, integrity }: EpisodeBody): Partial<EpisodeBody> => {
      const findings = [{ code: 'link-out-of-tree', detail: observed }]
      const found = { label, expected: 'files of the task', observed, children: [] }
      const assertions = [{ kind: 'patch', verdict: 'fail' as const, ...found }]
      const counts = { executedTests: 0, passedTests: 0 }
      return {
        outcome: { status: 'tampered', findings },
        integrity: { ...integrity, findings },
        testSuccess: false,
        overallSuccess: false,
        failureCategory: 'tampering',
        contract: contract && { ...contract, ...counts, verdict: 'fail', assertions },
      }
    }
    expect(await evaluate('small', run, undefined, untaken)).toMatchObject({
      result: 'agreed',
      after: { status: 'tampered', verdict: 'fail' },
    })
  })

  const OUT = 'that leads out of the repository, %s, is not a patch, and nothing is run'
  const isNoPatch = async (path: string) => {
    const out = JSON.stringify([{ path, executable: false, text: 'x' }])
    expect(await evaluate('small', run, out)).toMatchObject({
      result: 'no-solution',
      reason: 'its solution/changes.json is not a list of changes',
    })
  }
  it.each(['../../outside.js'])(OUT, isNoPatch)
  it.each(['.git/config', '/etc/passwd'])(OUT, { tags: 'night' }, isNoPatch)
})

describe('an uploaded work in Harbor’s format', { tags: 'bubblewrap', timeout: 300_000 }, () => {
  it('is judged where its files alone are its place; one that needs an image has none here', {
    tags: 'night',
  }, async () => {
    const suite = join(dataDir, 'suites', 'tasks')
    writeHarborTask(suite)
    const about = {
      suiteId: 'tasks',
      kind: 'harbor',
      title: 'tasks',
      description: '',
      version: '1',
    }
    writeFileSync(join(suite, 'suite.json'), JSON.stringify(about))
    const proven = await proofboardHere(dataDir, ['suite', 'verify', suite])
    expect(proven.code, proven.stderr).toBe(0)
    const run = await play(suite, join(dataDir, 'harbor'))
    expect(await evaluate('tasks', run)).toMatchObject({ result: 'agreed' })
    const wrong = JSON.stringify([{ path: 'greet.txt', executable: false, text: 'HELLO\n' }])
    expect(await evaluate('tasks', run, wrong)).toMatchObject({ result: 'disagreed' })
    const dockerfile = { 'environment/Dockerfile': 'FROM debian:12\nRUN true\n' }
    writeHarborTask(suite, dockerfile)
    expect(await evaluate('tasks', run)).toMatchObject({ result: 'no-task' })
    const shown = await proofboardHere(dataDir, ['suite', 'show', suite, '--json'])
    const [task] = (lastJson(shown.stdout).suite as Suite).tasks
    const change = () => ({ taskDigest: task?.digest as Digest })
    expect(await evaluate('tasks', run, undefined, change)).toMatchObject({
      result: 'no-place',
      reason: expect.stringMatching(/^the task needs docker, because /),
    })
  })
})
