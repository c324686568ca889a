import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestBytes } from '../../domain/digest/index.ts'
import { bundleSchema } from '../../domain/record/bundle.ts'
import {
  type Episode,
  type EpisodeBody,
  identifyEpisode,
  sealEpisode,
} from '../../domain/record/index.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { temporarySuite } from '../factories/proofboard-command.ts'
import { packZip, zipFiles } from './pack-zip.ts'

/** A run by the command line: its folder, and its result.json as text. */
export type RealRun = { dataDir: string; folder: string; runId: string; bundle: string }

/** CPU time after which a solution that never ends is stopped by the verifier. */
export const VERIFY_MS = 5_000

/**
 * Runs the reference on one small exercise twice. It takes seconds, so `npm test` does it once, and each caller gets a
 * copy. The caller removes `dataDir`.
 */
export async function makeRealRun(): Promise<RealRun> {
  const { PROOFBOARD_TEST_FOLDER: shared } = process.env
  if (shared === undefined) return readRun(await runReference())
  const kept = join(shared, 'real-run')
  if (!existsSync(kept)) keep(await runReference(), kept)
  const dataDir = newFolder()
  cpSync(kept, dataDir, { recursive: true })
  return readRun(dataDir)
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'proofboard-real-'))

async function runReference(): Promise<string> {
  const suiteId = 'small'
  const dataDir = newFolder()
  temporarySuite(dataDir, suiteId, ['lru-cache'], VERIFY_MS)
  // Outside of the runs of its data folder, because it is uploaded and needs no local board.
  const out = ['--out', join(dataDir, 'run')]
  const args = ['run', '--subject', 'reference', '--suite', suiteId, '--repetitions', '2', ...out]
  const { code, stderr } = await proofboardHere(dataDir, args)
  if (code !== 0) throw new Error(`the runner ended with ${code}: ${stderr}`)
  return dataDir
}

function keep(dataDir: string, place: string): void {
  try {
    renameSync(dataDir, place)
  } catch (error) {
    // Another process made the same run first.
    if (!existsSync(place)) throw error
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function readRun(dataDir: string): RealRun {
  const folder = join(dataDir, 'run')
  const bundle = readFileSync(join(folder, 'result.json'), 'utf8')
  return { dataDir, folder, runId: bundleSchema.parse(JSON.parse(bundle)).runId, bundle }
}

/** Every file of a folder by its path, under `prefix`. */
export function readFolder(folder: string, prefix = ''): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    paths
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [`${prefix}${path.slice(folder.length + 1)}`, readFileSync(path)] as const
      }),
  )
}

export const digestOf = (bytes: Uint8Array): string => digestBytes(bytes)

type Forgery = {
  runId: string
  /** Replaces the stored solution, for some repetitions or for all; null = left out. Absent = unchanged. */
  solution?: string | null | ((repetition: number) => string | undefined)
  change?: (episode: Episode) => Partial<EpisodeBody>
}

/**
 * Copies a real run under another id, as a sender who knows every rule would forge it: evidence, digests, names and
 * seals are consistent. Returns the zip, the envelopes alone as a bundle, and the ids of its episodes.
 */
export function forgeRunArchive(
  run: RealRun,
  { runId, solution, change }: Forgery,
): { zip: Buffer; bundle: string; episodeIds: string[] } {
  const bundle = bundleSchema.parse(JSON.parse(run.bundle))
  const texts: Record<string, string> = {}
  const episodes = bundle.episodes.map((episode) => {
    const folder = `episodes/${episode.taskId}/r${episode.repetition}-a${episode.attempt}`
    const given = typeof solution === 'function' ? solution(episode.repetition) : solution
    const evidence = episode.evidence.map((file) => {
      const isForged = file.role === 'solution' && typeof given === 'string'
      const text = isForged ? given : readFileSync(`${run.folder}/${folder}/${file.path}`, 'utf8')
      if (file.role !== 'solution' || given !== null) texts[`${folder}/${file.path}`] = text
      return { ...file, digest: digestBytes(text), sizeBytes: Buffer.byteLength(text) }
    })
    const { seal: _, ...body } = { ...episode, runId, evidence, ...change?.(episode) }
    const sealed = sealEpisode({ ...body, episodeId: identifyEpisode(body) })
    texts[`${folder}/episode.json`] = JSON.stringify(sealed)
    return sealed
  })
  texts['plan.json'] = JSON.stringify(bundle.plan)
  const forged = JSON.stringify({ ...bundle, runId, episodes })
  texts['result.json'] = forged
  const episodeIds = episodes.map(({ episodeId }) => episodeId)
  return { zip: packZip(zipFiles(texts)), bundle: forged, episodeIds }
}
