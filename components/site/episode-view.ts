import { describeEpisode, type EpisodeView } from '#lib/domain/api/index.ts'
import type {
  AnyEpisode,
  EvidenceFile,
  Provenance,
  SubmittedRun,
} from '#lib/domain/record/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { listCells } from './run-views.ts'
import { type EvidenceState, MAX_SHOWN_BYTES, type ReadEvidence } from './site-input.ts'

/** An evidence file as text; null = it is missing. */
export type ShownFile = { file: EvidenceFile; state: EvidenceState; text: string | null }
/** An episode with the texts of its evidence. */
export type ShownEpisode = { view: EpisodeView; files: readonly ShownFile[] }

type ViewContext = {
  run: SubmittedRun
  suite: Suite | null
  provenance: Provenance
  read: ReadEvidence
}

/** Reads the evidence of an episode, as far as pages show it. */
export async function readEpisode(
  episode: AnyEpisode,
  { run, read, ...around }: ViewContext,
): Promise<ShownEpisode> {
  const files: ShownFile[] = []
  for (const file of episode.evidence) {
    const { state, bytes } = await read(episode, file, MAX_SHOWN_BYTES)
    const text = state === 'missing' ? null : new TextDecoder().decode(bytes)
    files.push({ file, state, text })
  }
  const { taskId, repetition, subject } = episode
  const slot = run.episodes.filter(
    (one) =>
      one.taskId === taskId && one.repetition === repetition && one.subject.arm === subject.arm,
  )
  const view: EpisodeView = {
    ...describeEpisode(episode, {
      ...around,
      plan: run.plan,
      attempts: listCells({ episodes: slot }),
      textOf: (wanted) => files.find(({ file }) => file === wanted)?.text ?? null,
    }),
    evaluatedHere: null,
    received: files.some(({ text }) => text !== null),
    elsewhere: null,
    pruned: [],
    evidenceProblems: files.flatMap(({ file, state }) => {
      const problem = PROBLEMS[state]
      return problem === null ? [] : [{ path: file.path, problem }]
    }),
  }
  return { view, files }
}

const PROBLEMS: Readonly<Record<EvidenceState, string | null>> = {
  whole: null,
  cut: null,
  changed: 'was changed after it was sealed: its digest differs',
  missing: 'is not here; its digest is in the envelope',
}
