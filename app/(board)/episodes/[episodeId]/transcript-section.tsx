import { whereAbsent } from '#components/episode/evidence-files.tsx'
import { TranscriptPanel } from '#components/episode/transcript.tsx'
import { PAGE_STEPS, PREVIEW_CHARS } from '#components/episode/transcript-address.ts'
import { visibleText } from '#components/ui/format.ts'
import { type EpisodeView, formatPruned } from '#lib/domain/api/index.ts'
import { isMeasured } from '#lib/domain/record/index.ts'
import { unlessEvidence } from '#lib/server/runs/read-log.ts'
import { readTranscript } from '#lib/server/runs/transcript.ts'

/** The transcript of an episode, its first steps rendered here; without one, why there is none. */
export async function Transcript({ view }: { view: EpisodeView }) {
  const { episodeId } = view.episode
  const first = await readTranscript(episodeId, {
    from: 1,
    limit: PAGE_STEPS,
    chars: PREVIEW_CHARS,
  }).catch(unlessEvidence)
  if (first === null || first.total === 0)
    return <p className="untrusted text-muted">{visibleText(whyMissing(view, first !== null))}</p>
  return (
    <>
      <TranscriptPanel episodeId={episodeId} first={first} key={episodeId} />
      <p className="mt-2 text-muted">
        Download:{' '}
        <a className="link" href={`/api/v1/episodes/${episodeId}/logs/raw?role=transcript`}>
          JSON Lines
        </a>
        ,{' '}
        <a className="link" href={`/api/v1/episodes/${episodeId}/atif`}>
          ATIF
        </a>
      </p>
    </>
  )
}

function whyMissing(view: EpisodeView, isEmpty: boolean): string {
  const { episode, pruned, calls } = view
  const absent = whereAbsent(view)
  const file = episode.evidence.find(({ role }) => role === 'transcript')
  const note = file && pruned.find(({ path }) => path === file.path)
  if (note) return `The transcript was ${formatPruned(note)}.`
  if (isEmpty) return 'The agent made no model calls, so nothing was said.'
  if (file)
    return absent === null
      ? 'The stored transcript cannot be read.'
      : `The evidence lists a transcript; the file is ${absent}.`
  if (!isMeasured(episode))
    return 'Another program measured this episode, and no gateway of ours saw its model calls.'
  if (calls !== null) return 'This episode is older than transcripts: its calls were only counted.'
  if (episode.subject.kind === 'agent')
    return 'Model calls of this agent did not go through the gateway, so the conversation was not recorded.'
  return 'No model took part in this episode, so nothing was said.'
}
