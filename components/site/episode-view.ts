import type { z } from 'zod'
import type { EpisodeView } from '#lib/domain/api/index.ts'
import type { ArchivedRun } from '#lib/domain/archive/index.ts'
import {
  type AnyEpisode,
  CALLS_FILE,
  type EvidenceFile,
  FILM_FILE,
  filmFrameSchema,
  gatewayCallSchema,
  gradingFact,
  isFrozen,
  isMeasured,
  type Provenance,
  parseJson,
  TRACE_FILE,
  tracedActionSchema,
} from '#lib/domain/record/index.ts'
import { reproduceLines } from '#lib/domain/runs/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'
import { listCells } from './run-views.ts'
import { type EvidenceState, MAX_SHOWN_BYTES, type ReadEvidence } from './site-input.ts'

/** A file of evidence as text; null = it is missing. */
export type ShownFile = { file: EvidenceFile; state: EvidenceState; text: string | null }
/** An episode with the texts of its evidence. */
export type ShownEpisode = { view: EpisodeView; files: readonly ShownFile[] }

type Around = {
  run: ArchivedRun
  suite: Suite | null
  provenance: Provenance
  read: ReadEvidence
}

/** Reads the evidence of an episode as far as pages show it. */
export async function readEpisode(episode: AnyEpisode, around: Around): Promise<ShownEpisode> {
  const files: ShownFile[] = []
  for (const file of episode.evidence) {
    const { state, bytes } = await around.read(episode, file, MAX_SHOWN_BYTES)
    const text = state === 'missing' ? null : new TextDecoder().decode(bytes)
    files.push({ file, state, text })
  }
  return { view: viewEpisode(episode, files, around), files }
}

function viewEpisode(
  episode: AnyEpisode,
  files: readonly ShownFile[],
  { run, suite, provenance }: Omit<Around, 'read'>,
): EpisodeView {
  const { taskId, repetition, subject } = episode
  const textOf = (wanted: (file: EvidenceFile) => boolean) =>
    files.find(({ file }) => wanted(file))?.text ?? null
  const linesOf = <S extends z.ZodType>(path: string, schema: S) =>
    parseLines(
      textOf((file) => file.path === path),
      schema,
    )
  const slot = run.episodes.filter(
    (one) =>
      one.taskId === taskId && one.repetition === repetition && one.subject.arm === subject.arm,
  )
  return {
    episode,
    provenance,
    grading: (isMeasured(episode) && gradingFact(episode)) || null,
    evaluatedHere: null,
    taskTitle: suite?.tasks.find((task) => task.taskId === taskId)?.title ?? taskId,
    attempts: listCells({ episodes: slot }),
    diff: textOf(({ role }) => role === 'workspace-diff'),
    solution: files.flatMap(({ file: { role, path }, text }) =>
      role === 'solution' && text !== null ? [{ path: path.replace(/^solution\//, ''), text }] : [],
    ),
    calls: linesOf(CALLS_FILE, gatewayCallSchema),
    trace: linesOf(TRACE_FILE, tracedActionSchema),
    film: linesOf(FILM_FILE, filmFrameSchema),
    finalState: textOf(({ role }) => role === 'contract-evidence'),
    received: files.some(({ text }) => text !== null),
    elsewhere: null,
    pruned: [],
    evidenceProblems: files.flatMap(({ file, state }) => {
      const problem = PROBLEMS[state]
      return problem === null ? [] : [{ path: file.path, problem }]
    }),
    reproduce: isFrozen(run.plan) ? reproduceLines(run.plan, suite, [taskId]) : [],
  }
}

const PROBLEMS: Readonly<Record<EvidenceState, string | null>> = {
  whole: null,
  cut: null,
  changed: 'was changed after it was sealed: its digest differs',
  missing: 'is not here; its digest is in the envelope',
}

/** A line that cannot be read is left out: evidence is shown, never trusted. */
function parseLines<S extends z.ZodType>(text: string | null, schema: S): z.infer<S>[] | null {
  if (text === null) return null
  return text.split('\n').flatMap((line) => {
    const parsed = schema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}
