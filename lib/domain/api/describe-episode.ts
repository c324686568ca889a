import type { z } from 'zod'
import {
  type AnyEpisode,
  type AnyPlan,
  CALLS_FILE,
  type EvidenceFile,
  FILM_FILE,
  filmFrameSchema,
  gatewayCallSchema,
  gradingFact,
  isFrozen,
  isMeasured,
  type Provenance,
  TRACE_FILE,
  tracedActionSchema,
} from '../record/index.ts'
import { reproduceLines } from '../runs/index.ts'
import type { Suite } from '../tasks/index.ts'
import { parseJson } from '../text/index.ts'
import type { EpisodeView } from './episode-view.ts'

/** Returns true for a file that `describeEpisode` reads. */
export function isDescribed({ role, path }: EvidenceFile): boolean {
  return (
    role === 'workspace-diff' ||
    role === 'solution' ||
    role === 'contract-evidence' ||
    [CALLS_FILE, TRACE_FILE, FILM_FILE].includes(path)
  )
}

type EpisodeContext = {
  provenance: Provenance
  plan: AnyPlan | null
  suite: Suite | null
  attempts: EpisodeView['attempts']
  /** The text of a file of evidence; null = it cannot be had. */
  textOf: (file: EvidenceFile) => string | null
}

/** The view of an episode, except where its evidence is. A line that cannot be read is left out. */
export function describeEpisode(
  episode: AnyEpisode,
  { provenance, plan, suite, attempts, textOf }: EpisodeContext,
): Omit<EpisodeView, 'evaluatedHere' | 'received' | 'elsewhere' | 'pruned' | 'evidenceProblems'> {
  const { taskId, evidence } = episode
  const find = (wanted: (file: EvidenceFile) => boolean) => {
    const file = evidence.find(wanted)
    return file ? textOf(file) : null
  }
  const linesOf = <S extends z.ZodType>(path: string, schema: S) =>
    parseLines(
      find((file) => file.path === path),
      schema,
    )
  return {
    episode,
    provenance,
    attempts,
    grading: (isMeasured(episode) && gradingFact(episode)) || null,
    taskTitle: suite?.tasks.find((task) => task.taskId === taskId)?.title ?? taskId,
    diff: find(({ role }) => role === 'workspace-diff'),
    solution: evidence.flatMap((file) => {
      const text = file.role === 'solution' ? textOf(file) : null
      return text === null ? [] : [{ path: file.path.replace(/^solution\//, ''), text }]
    }),
    calls: linesOf(CALLS_FILE, gatewayCallSchema),
    trace: linesOf(TRACE_FILE, tracedActionSchema),
    film: linesOf(FILM_FILE, filmFrameSchema),
    finalState: find(({ role }) => role === 'contract-evidence'),
    reproduce: plan && isFrozen(plan) ? reproduceLines(plan, suite, [taskId]) : [],
  }
}

function parseLines<S extends z.ZodType>(text: string | null, schema: S): z.infer<S>[] | null {
  if (text === null) return null
  return text.split('\n').flatMap((line) => {
    const parsed = schema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}
