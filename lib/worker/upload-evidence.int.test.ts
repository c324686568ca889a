import { spawn } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { sealEpisode } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { recentProblems } from '#lib/log.ts'
import { evidenceStore } from '#lib/server/evidence/configured-store.ts'
import { databaseForEach } from '#lib/testing/factories/database-for-each.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { SAMPLE_RUN_ID, sampleEpisode } from '#lib/testing/factories/samples.ts'
import { type StandIn, startStandIn } from '#lib/testing/s3/stand-in.ts'
import { countWaiting, followSealed, noteSealed, uploadSealed } from './upload-evidence.ts'

const EPISODES = 6
const FILES = 4

const temporary = databaseForEach()
let bucket: StandIn
beforeEach(async () => {
  bucket = await startStandIn()
  for (const [name, value] of Object.entries(bucket.settings())) vi.stubEnv(name, value)
  settleEnv(process.cwd())
})
afterEach(() => bucket.close())

/** Seals episodes with files and notes on the disk; one file is the same in all of them. */
function sealSome(): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; at < EPISODES; at++) {
    const directory = `runs/${SAMPLE_RUN_ID}/episodes/alpha/r${at + 1}-a1`
    const evidence = Array.from({ length: FILES }, (_, number) => {
      const bytes = Buffer.from(
        number === 0 ? 'the same\n' : `log ${number} of ${at}\n`.repeat(900),
      )
      const path = `file-${number}.log`
      files.set(`${directory}/${path}`, bytes)
      mkdirSync(join(temporary.dir, directory), { recursive: true })
      writeFileSync(join(temporary.dir, directory, path), bytes)
      const digest = digestBytes(bytes)
      return { role: 'events', path, digest, sizeBytes: bytes.length, droppedBytes: 0 } as const
    })
    const { seal: _, ...body } = sampleEpisode({ repetition: at + 1 })
    noteSealed(directory, JSON.stringify(sealEpisode({ ...body, evidence })))
  }
  return files
}

const keyOf = (bytes: Buffer) => {
  const hex = digestBytes(bytes).slice('sha256:'.length)
  return `sha256/${hex.slice(0, 2)}/${hex}`
}

/** Kills uploads until one completes, each by the given factor later than the one before. */
async function killUploads(times: number): Promise<void> {
  const files = sealSome()
  bucket.fail({ slowMs: 15 })
  let kills = 0
  for (let delayMs = 20; countWaiting() > 0; delayMs = delayMs * times + 60) {
    const args = ['lib/testing/chaos/upload-evidence.mjs', temporary.place]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await Promise.race([sleep(delayMs), ended])
    if (child.kill('SIGKILL')) kills++
    await ended
  }
  expect(kills).toBeGreaterThan(0)
  const wanted = new Set([...files.values()].map(keyOf))
  expect([...bucket.objects.keys()].filter((key) => key.startsWith('sha256/')).sort()).toEqual(
    [...wanted].sort(),
  )
  for (const bytes of files.values()) expect(bucket.objects.get(keyOf(bytes))?.bytes).toEqual(bytes)
}

it('kill -9 of an upload loses nothing and stores nothing twice', { tags: 'night' }, () =>
  killUploads(12),
)
it('nor does kill -9 at any moment', { tags: 'night' }, () => killUploads(1.5))

it('waits while the bucket is down, and sets aside a file that is not what was sealed', async () => {
  const files = sealSome()
  bucket.fail({ refusal: 'AccessDenied' })
  await expect(uploadSealed(temporary.db)).rejects.toThrow(/refuses this server \(AccessDenied\)/)
  expect(countWaiting()).toBe(EPISODES)
  const [place = ''] = files.keys()
  writeFileSync(join(temporary.dir, place), 'changed')
  bucket.fail({})
  await uploadSealed(temporary.db)
  expect(countWaiting()).toBe(0)
  const notes = readdirSync(join(temporary.dir, 'evidence-uploads'))
  expect(notes.filter((name) => name.endsWith('.refused'))).toHaveLength(1)
  expect(notes).toHaveLength(EPISODES)
})

it('skips a note that another worker was done with after it was listed', async () => {
  sealSome()
  symlinkSync('gone', join(temporary.dir, 'evidence-uploads', 'gone.json'))
  expect(countWaiting()).toBe(EPISODES)
  await uploadSealed(temporary.db)
  expect(countWaiting()).toBe(0)
})

it('continues after an unexpected error, and reports it', async () => {
  sealSome()
  const unreadable = join(temporary.dir, 'evidence-uploads', 'folder.json')
  mkdirSync(unreadable)
  const stop = new AbortController()
  const following = followSealed({ db: temporary.db, signal: stop.signal })
  const hasSaid = async () =>
    recentProblems().some(({ message }) => message.startsWith('evidence waits on this machine'))
  await Promise.race([following, waitUntilTrue('it is logged', hasSaid)])
  rmdirSync(unreadable)
  await Promise.race([following, waitUntilTrue('the rest', async () => countWaiting() === 0)])
  stop.abort()
  await following
})

it('frees the disk of logs once their run is over, and they are still read', async () => {
  const files = sealSome()
  await uploadSealed(temporary.db)
  const folder = join(temporary.dir, 'evidence-uploads')
  for (const name of readdirSync(folder)) {
    const note = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    writeFileSync(
      join(folder, name),
      JSON.stringify({ ...note, uploadedAt: '2026-01-01T00:00:00Z' }),
    )
  }
  await uploadSealed(temporary.db)
  expect(readdirSync(folder)).toEqual([])
  for (const [place, bytes] of files) {
    const isLarge = bytes.length >= 4096
    const names = readdirSync(join(temporary.dir, dirname(place)))
    expect(names.includes(place.split('/').at(-1) ?? '')).toBe(!isLarge)
    const ref = { place, digest: digestBytes(bytes), sizeBytes: bytes.length }
    const reader = await evidenceStore().open(ref)
    expect(await reader?.read(Buffer.alloc(bytes.length), 0)).toEqual(bytes)
    await reader?.close()
  }
})
