import type { EpisodeFact } from '../../board/episode-fact.ts'
import { needsSandbox } from '../../needs-sandbox.ts'
import type { Rule } from '../rule.ts'

/** Results of a program that could read the answers are not evidence. */
export const answersOutOfReachRule: Rule = {
  code: 'answers-out-of-reach',
  fromSeed: false,
  demand: () =>
    'Agents, and libraries started by a user command, ran in a sandbox (bubblewrap or docker) without access to references, tests, keys or other attempts.',
  check: ({ facts }) => {
    const exposed = facts.filter(
      ({ subject, settings }) => needsSandbox(subject) && settings.isolation === 'local',
    )
    if (exposed.length === 0) return null
    const isLibrary = exposed.every(({ subject }) => subject.kind === 'library')
    return {
      reason: `${exposed.length} of ${facts.length} episodes ran with isolation local (no sandbox), ${reachOf(exposed)}.`,
      remedy: isLibrary
        ? 'Use a built-in library adapter: a library started by a user command cannot be ranked, because browser suites run with isolation local.'
        : 'Rerun with --isolation bubblewrap or --isolation docker.',
    }
  },
}

/** What the agent or library could read according to its envelopes; the broadest access counts. */
function reachOf(facts: readonly EpisodeFact[]): string {
  if (facts.every(({ subjectUser }) => subjectUser === 'own'))
    return 'as a separate user: it could use the network and read every world-readable file'
  if (facts.some(({ subjectUser }) => subjectUser === 'runner'))
    return "as the runner's user: it could read reference solutions, tests, provider keys, the database, the auth secret and other attempts"
  return 'so it could read reference solutions, tests and keys'
}
