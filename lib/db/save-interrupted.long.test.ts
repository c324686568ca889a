import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBrokenLink } from '#lib/domain/ledger/index.ts'
import { SAMPLE_RUN_ID } from '#lib/testing/factories/samples.ts'
import {
  saveSampleRun,
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { clearOutside } from '#runner/engine/close-interrupted.ts'
import { readSealed } from '#runner/engine/envelopes.ts'
import { Journal } from '#runner/engine/journal.ts'
import { RunFolder } from '#runner/engine/run-folder.ts'
import { bundleEntry } from '../setup/bundle.mjs'
import { listLedger } from './ledger-store.ts'
import { saveEpisode } from './save-episode.ts'
import { openSqlite } from './sqlite-file.ts'
import { rederiveEpisode, unpackEnvelope } from './stored-episode.ts'

const KILLS = 12
/** Rounds of journal, envelope, journal, database; kills are spread over them evenly. */
const ROUNDS = 2

let temporary: TemporaryDatabase
let folder: RunFolder
let bundle: string

beforeAll(async () => {
  temporary = await temporaryDatabase()
  folder = new RunFolder(join(temporary.dir, 'run'))
  bundle = await bundleEntry('lib/testing/chaos/kill/write-endlessly.ts')
  await saveSampleRun(temporary.db)
})
afterAll(() => temporary.close())

/** Lets a writer work for the time of so many measured rounds, then kills it with SIGKILL. */
async function writeFor(rounds: number): Promise<void> {
  const code = `await (await import('${bundle}')).main(process.argv.slice(1))`
  const args = ['--input-type=module', '-e', code, folder.path, temporary.place]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  const roundMs = await new Promise<number>((resolve) =>
    child.stdout.once('data', (data) => resolve(Number(data))),
  )
  await pause(rounds * roundMs)
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
}

function pathOf({ taskId, repetition, attempt }: Parameters<typeof nameOf>[0]): string {
  return join(folder.path, nameOf({ taskId, repetition, attempt }), 'episode.json')
}
const nameOf = (one: { taskId: string; repetition: number; attempt: number }) =>
  folder.attemptPath(one.taskId, one.repetition, one.attempt)

/** Expects the state required after any kill, before any repair. */
async function expectWhole(): Promise<void> {
  const sealed = readSealed(folder) // throws for a partial envelope
  const data = new Journal(folder.journalPath).read()
  const isThere = data.filter(({ event }) => event === 'attempt-sealed').map(pathOf)
  expect(isThere.filter((path) => !existsSync(path))).toEqual([])
  const begun = new Set(data.map(nameOf))
  expect(sealed.filter((episode) => !begun.has(nameOf(episode)))).toEqual([])
  const raw = openSqlite(temporary.place, { readOnly: true })
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
  raw.close()
  for (const row of await temporary.db.episode.findMany()) {
    const onDisk = sealed.find(({ episodeId }) => episodeId === row.episodeId)
    expect(JSON.parse(unpackEnvelope(row.envelope))).toEqual(onDisk)
    expect(row).toMatchObject(rederiveEpisode(JSON.parse(unpackEnvelope(row.envelope))))
  }
  const ledger = await listLedger(temporary.db)
  expect(findBrokenLink(ledger)).toBeNull()
  const includes = ledger.filter(({ action }) => action.kind === 'include')
  expect(includes.length).toBe(Math.min(1, await temporary.db.episode.count()))
}

it(`keeps every envelope once, killed ${KILLS} times on the way from journal to database`, async () => {
  const met = { draft: 0, unsaved: 0, unsealed: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    await writeFor((kill / KILLS) * ROUNDS)
    await expectWhole()
    const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    met.draft += files.filter((name) => name.endsWith('.tmp')).length
    await clearOutside(folder)
    const left = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([])
    for (const episode of readSealed(folder)) {
      const directory = nameOf(episode)
      const receipt = { provenance: 'local', directory, receivedAt: new Date() } as const
      const saved = await saveEpisode(temporary.db, readFileSync(pathOf(episode), 'utf8'), receipt)
      if (saved === 'saved') met.unsaved += 1
    }
  }
  const sealed = readSealed(folder)
  const begun = new Journal(folder.journalPath).read()
  const starts = begun.filter(({ event }) => event === 'attempt-started')
  met.unsealed = starts.length - sealed.length
  process.stdout.write(
    `${KILLS} kills, ${sealed.length} sealed; met ${met.draft} drafts, ${met.unsealed} begun and not sealed, ${met.unsaved} sealed and not saved\n`,
  )
  expect(sealed.length).toBeGreaterThan(KILLS)
  expect(await temporary.db.episode.count({ where: { runId: SAMPLE_RUN_ID } })).toBe(sealed.length)
}, 240_000)
