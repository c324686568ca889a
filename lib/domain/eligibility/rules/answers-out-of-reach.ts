import type { EpisodeFact } from '../../board/episode-fact.ts'
import { needsSandbox } from '../../needs-sandbox.ts'
import type { Rule } from '../rule.ts'

/** A program that could read the answers proves nothing by being right. */
export const answersOutOfReachRule: Rule = {
  code: 'answers-out-of-reach',
  fromSeed: false,
  demand: () =>
    'Agents, commands and libraries started by a command of the user ran in a sandbox (bubblewrap or docker), where ' +
    'references, tests, keys and other attempts cannot be read.',
  check: ({ facts }) => {
    const exposed = facts.filter(
      ({ subject, settings }) => needsSandbox(subject) && settings.isolation === 'local',
    )
    if (exposed.length === 0) return null
    const isLibrary = exposed.every(({ subject }) => subject.kind === 'library')
    return {
      reason: `${exposed.length} of ${facts.length} episodes ran at isolation local, ${reachOf(exposed)}.`,
      remedy: isLibrary
        ? 'A library started by a command of the user cannot be ranked: browser suites run at isolation local.'
        : 'Run it again with --isolation bubblewrap or docker.',
    }
  },
}

/** What the subject could read, by what its envelopes say; the widest reach counts. */
function reachOf(facts: readonly EpisodeFact[]): string {
  if (facts.every(({ subjectUser }) => subjectUser === 'own'))
    return 'as a user of its own: it could use the network of the machine and read whatever is open to every user'
  if (facts.some(({ subjectUser }) => subjectUser === 'runner'))
    return "as the runner's user: it could read reference solutions, tests, provider keys, the database, the auth secret and other attempts"
  return 'without a sandbox: nothing kept it from reading reference solutions, tests and keys'
}
