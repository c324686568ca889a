import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { isShared } from '../db/dialect.ts'
import { listStoredEnvelopes } from '../db/episode-store.ts'
import { findPlanText } from '../db/plan-store.ts'
import { parseAnyEpisode, sealedText } from '../domain/record/index.ts'
import { parseJson } from '../domain/text/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { evidenceStore } from '../server/evidence/configured-store.ts'
import { changeLeftOut, readLeftOut } from '../server/evidence/left-out.ts'

const log = createLog('jobs')

/** A run and its folder on this machine. */
export type RunPlace = { runId: string; folder: string }

/**
 * Makes the run folder agree with the database: writes the plan and every stored envelope that it lacks, because
 * another machine may have begun this run, or a restore may have left its episodes out. An attempt that ended
 * differently here, and was never stored, is set aside: otherwise its slot would count as settled. Evidence is not
 * copied. Returns the number of attempts set aside.
 */
export async function fillRunFolder(db: Db, { runId, folder }: RunPlace): Promise<number> {
  const { dataDir } = env()
  const plan = await findPlanText(db, runId)
  if (plan === null) return 0
  const absent: { directory: string; envelope: string }[] = []
  let superseded = 0
  for (const one of await listStoredEnvelopes(db, runId)) {
    const own = await readSealed(join(dataDir, one.directory, 'episode.json'))
    if (own === one.envelope) continue
    absent.push(one)
    if (own === null) continue
    await setAside(one.directory, { runId, folder })
    superseded += 1
  }
  if (isShared(db) && evidenceStore().kind === 'disk') noteElsewhere(absent)
  for (const { directory, envelope } of absent)
    await writeWhole(join(dataDir, directory, 'episode.json'), envelope)
  if (!existsSync(join(folder, 'plan.json'))) await writeWhole(join(folder, 'plan.json'), plan)
  if (absent.length > 0)
    log.info('a run is continued whose episodes were not in this data folder', {
      runId,
      episodes: absent.length,
    })
  return superseded
}

/** Returns a sealed envelope as the database stores it, '' if it cannot be read; null = there is none. */
async function readSealed(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = parseAnyEpisode(parseJson(text))
  return parsed.ok ? sealedText(parsed.value) : ''
}

/** Moves the folder of an attempt that another machine stored first out of the runner's way. */
async function setAside(directory: string, { runId, folder }: RunPlace): Promise<void> {
  const from = join(env().dataDir, directory)
  const to = join(folder, 'superseded', relative(join(folder, 'episodes'), from))
  await mkdir(dirname(to), { recursive: true })
  await rename(from, `${to}-${Date.now()}`)
  log.warn('an attempt was stored first by another machine, and is set aside here', {
    runId,
    directory,
  })
}

const evidenceOf = z.object({ evidence: z.array(z.unknown()) })

/** Records that the evidence of these directories is in the data folder of another machine. */
function noteElsewhere(absent: readonly { directory: string; envelope: string }[]): void {
  const listed = { ...readLeftOut().evidence }
  for (const { directory, envelope } of absent) {
    const { evidence } = evidenceOf.parse(JSON.parse(envelope))
    if (evidence.length > 0) listed[directory] ??= evidence.length
  }
  changeLeftOut({ evidence: listed })
}

/** Writes a file so that it is whole or absent, also after a kill. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(unfinished, text)
  await rename(unfinished, file)
}
