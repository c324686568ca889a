import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleSchema } from '../../domain/record/bundle.ts'
import {
  digestBytes,
  type Episode,
  type EpisodeBody,
  identifyEpisode,
  sealEpisode,
} from '../../domain/record/index.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { lastJson, temporarySuite } from '../factories/proofboard-command.ts'
import { packZip, zipFiles } from './pack-zip.ts'

/** A run by the command line: its folder, and its result.json as text. */
export type RealRun = { dataDir: string; folder: string; runId: string; bundle: string }

/** Runs the reference on one small exercise, twice; a few seconds. The caller removes `dataDir`. */
export async function makeRealRun(verifyTimeoutMs?: number): Promise<RealRun> {
  const suiteId = 'small'
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-real-'))
  temporarySuite(dataDir, suiteId, ['lru-cache'], verifyTimeoutMs)
  // Not among the runs of its data folder: it is to be sent, and needs no board of its own.
  const folder = join(dataDir, 'run')
  const args = ['run', '--subject', 'reference', '--suite', suiteId, '--repetitions', '2', '--json']
  const { code, stdout, stderr } = await proofboardHere(dataDir, [...args, '--out', folder])
  if (code !== 0) throw new Error(`the runner ended with ${code}: ${stderr}`)
  const runId = String(lastJson(stdout).runId)
  return { dataDir, folder, runId, bundle: readFileSync(join(folder, 'result.json'), 'utf8') }
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
  /** Text in place of the stored solution; null = it does not come along. Absent = as it was. */
  solution?: string | null
  change?: (episode: Episode) => Partial<EpisodeBody>
}

/**
 * A real run under another id as a sender who knows every rule would forge it: evidence, digests, names and seals fit
 * together. Answers the zip, the envelopes alone as a bundle, and the ids of its episodes.
 */
export function forgeRunArchive(
  run: RealRun,
  { runId, solution, change }: Forgery,
): { zip: Buffer; bundle: string; episodeIds: string[] } {
  const bundle = bundleSchema.parse(JSON.parse(run.bundle))
  const texts: Record<string, string> = {}
  const episodes = bundle.episodes.map((episode) => {
    const folder = `episodes/${episode.taskId}/r${episode.repetition}-a${episode.attempt}`
    const evidence = episode.evidence.map((file) => {
      const isForged = file.role === 'solution' && typeof solution === 'string'
      const text = isForged
        ? solution
        : readFileSync(`${run.folder}/${folder}/${file.path}`, 'utf8')
      if (file.role !== 'solution' || solution !== null) texts[`${folder}/${file.path}`] = text
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
