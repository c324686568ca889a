import { type AnyEpisode, isMeasured, type ReportedEpisode } from '../record/index.ts'

/** Note on a record whose benchmark version is that of the page it was copied to, not of the run. */
export const UNSURE_VERSION = 'which version of the benchmark ran it'

/** Facts that a record states about one attempt, by name; null = not stated. */
export type ReportedFacts = Readonly<Record<string, string | number | boolean | null>>

/**
 * Facts of an episode reported by ts-bench. Its files repeat a run with other fields (`tier`, `runUrl`, `agentName`),
 * so two records of one run rarely have the same bytes. Null = another source: its seal decides.
 */
export function reportedFacts(episode: AnyEpisode): ReportedFacts | null {
  if (isMeasured(episode) || episode.source.format !== 'ts-bench') return null
  const { source, subject, effort, startedAt } = episode
  const { agentSuccess, testSuccess, overallSuccess } = episode
  return {
    exercise: source.recordName,
    agent: subject.name,
    version: subject.version,
    model: subject.modelRequested,
    provider: subject.provider,
    timestamp: startedAt,
    benchmarkVersion: source.untold.includes(UNSURE_VERSION) ? null : source.harness.version,
    runUrl: source.url,
    agentSuccess,
    testSuccess,
    overallSuccess,
    agentDuration: effort.wall.subjectMs,
    testDuration: effort.wall.verifyMs,
    totalDuration: effort.wall.totalMs,
    agentError: digestOf(episode, AGENT_ERROR_FILE),
    testError: digestOf(episode, TEST_ERROR_FILE),
  }
}

export const AGENT_ERROR_FILE = 'agent-error.txt'
export const TEST_ERROR_FILE = 'test-error.txt'

function digestOf({ evidence }: ReportedEpisode, name: string): string | null {
  return evidence.find(({ path }) => path === name)?.digest ?? null
}

/** Returns the first fact on which both records differ; null = no fact stated by both differs. */
export function findContradiction(
  facts: ReportedFacts,
  stored: ReportedFacts,
): { name: string; here: string; there: string } | null {
  for (const [name, value] of Object.entries(facts)) {
    const other = stored[name] ?? null
    if (value === null || other === null || value === other) continue
    return { name, here: String(value).slice(0, 80), there: String(other).slice(0, 80) }
  }
  return null
}
