import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packZip } from '#lib/testing/corpora/pack-zip.ts'
import { digestOf, makeRealRun, type RealRun, readFolder } from '#lib/testing/corpora/real-run.ts'
import { submitBody } from '#lib/testing/corpora/submit-body.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { unpackEnvelope } from '../../db/stored-episode.ts'
import { sweepIngest } from './evidence-staging.ts'
import { sealName } from './open-run.ts'

let run: RealRun
let zip: Buffer
beforeAll(async () => {
  run = await makeRealRun()
  const files = [...readFolder(run.folder)]
  zip = packZip(files.map(([name, bytes]) => ({ name, bytes })))
})
afterAll(() => rmSync(run.dataDir, { recursive: true, force: true }))
const temporary = databaseForEach()

/** Expects all of it, with every file in its row's directory, or nothing. */
async function checkWholeOrNothing(): Promise<'whole' | 'nothing'> {
  const { db, dir } = temporary
  const rows = await db.episode.findMany()
  expect(readdirSync(join(dir, 'received', '.staging'))).toEqual([])
  if (rows.length === 0) {
    for (const table of [db.run, db.plan, db.ledgerEntry, db.auditEntry])
      expect(await (table as typeof db.run).count()).toBe(0)
    expect(existsSync(join(dir, 'received', run.runId))).toBe(false)
    return 'nothing'
  }
  expect(rows.length).toBe(2)
  expect(await db.ledgerEntry.count()).toBe(2)
  expect(await db.auditEntry.count()).toBe(1)
  for (const { directory, envelope } of rows) {
    const files = readFolder(join(dir, directory ?? 'missing'))
    const listed: { path: string; digest: string }[] = JSON.parse(unpackEnvelope(envelope)).evidence
    expect([...files.keys()].sort()).toEqual(listed.map(({ path }) => path).sort())
    for (const { path, digest } of listed) expect(digestOf(files.get(path)!)).toBe(digest)
  }
  return 'whole'
}

/** Kills commits of one file, each later than the one before, until one completes. */
async function killCommits(stepMs: number): Promise<void> {
  const file = join(temporary.dir, 'run.zip')
  writeFileSync(file, zip)
  mkdirSync(join(temporary.dir, 'received', '.staging'), { recursive: true })
  const ends: string[] = []
  for (let delayMs = 0; delayMs < 240 && ends.at(-1) !== 'whole'; delayMs += stepMs) {
    const args = ['lib/testing/chaos/commit-file.mjs', temporary.place, file]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await sleep(delayMs)
    child.kill('SIGKILL')
    await ended
    await sweepIngest(temporary.db)
    ends.push(await checkWholeOrNothing())
  }
  expect(ends[0]).toBe('nothing')
  const { status } = await submitBody(temporary, zip)
  expect(status).toBe(ends.at(-1) === 'whole' ? 'duplicate' : 'committed')
  expect(await checkWholeOrNothing()).toBe('whole')
}

it(
  'kill -9 of a commit leaves all of it or nothing, and the next one ends it',
  { tags: 'night' },
  () => killCommits(120),
)
it('so does kill -9 at any moment', { tags: 'night' }, () => killCommits(30))

it('evidence of a commit that was killed before it was moved is moved by the sweep', async () => {
  await submitBody(temporary, zip)
  const dead = join(temporary.dir, 'received', '.staging', '999999999-dead', 'ready')
  for (const { episodeId, seal, directory } of await temporary.db.episode.findMany()) {
    const staged = join(dead, sealName(episodeId, seal))
    mkdirSync(dirname(staged), { recursive: true })
    renameSync(join(temporary.dir, directory ?? ''), staged)
  }
  const foreign = join(dead, sealName(`ep_${'0'.repeat(32)}`, 'f'.repeat(64)))
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'subject.log'), 'of an episode that is not stored')
  await sweepIngest(temporary.db)
  expect(await checkWholeOrNothing()).toBe('whole')
})
