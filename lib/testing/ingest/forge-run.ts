import { readFileSync } from 'node:fs'
import { bundleSchema } from '#lib/domain/bundle.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { type EpisodeBody, isMeasured, type MeasuredEpisode } from '#lib/domain/episode.ts'
import { identifyEpisode, sealEpisode } from '#lib/domain/seal-episode.ts'
import { packZip, zipFiles } from './pack-zip.ts'
import type { RealRun } from './real-run.ts'

type Forgery = {
  runId: string
  /** Text in place of the stored solution; null = it does not come along. Absent = as it was. */
  solution?: string | null
  change?: (episode: MeasuredEpisode) => Partial<EpisodeBody>
}

/**
 * A real run under another id as a sender who knows every rule would forge it: evidence, digests, names and seals fit
 * together. Answers the zip, the envelopes alone as a bundle, and the ids of its episodes.
 */
export function forgeRun(
  run: RealRun,
  { runId, solution, change }: Forgery,
): { zip: Buffer; bundle: string; episodeIds: string[] } {
  const bundle = bundleSchema.parse(JSON.parse(run.bundle))
  const texts: Record<string, string> = {}
  const episodes = bundle.episodes.filter(isMeasured).map((episode) => {
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
