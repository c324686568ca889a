import type { EpisodeFact } from '../../board/episode-fact.ts'
import { listNames } from '../list-names.ts'
import { type KnownPrograms, RELEASED_PROGRAMS } from '../released-programs.ts'
import type { Rule } from '../rule.ts'

/** A fork may judge as it likes, so what comes from outside was made and judged by programs that are known here. */
export const harnessRule: Rule = {
  code: 'harness',
  fromSeed: false,
  demand: () =>
    'What was not run by this server was run by a released version of the harness and judged by a released verifier, or ' +
    'by the very one of this server.',
  check: ({ facts, context: { knownPrograms = RELEASED_PROGRAMS } }) => {
    const odd = facts.flatMap((fact) => findUnknown(fact, knownPrograms) ?? [])
    if (odd.length === 0) return null
    return {
      reason: `${odd.length} of ${facts.length} episodes were made by programs that are not known here: ${listNames(odd)}.`,
      remedy:
        'Run the subject with a released version of Proofboard, unchanged, or on this server.',
    }
  },
}

function findUnknown(
  { provenance, origin, grading }: EpisodeFact,
  { versions, verifiers }: KnownPrograms,
): string | null {
  if (provenance === 'local' || origin === undefined) return null
  if (!versions.has(origin.harness.version)) return `harness ${origin.harness.version}`
  if (!grading) return null
  if (grading.verifier === null) return 'a verifier without a digest'
  const { digest } = grading.verifier
  return verifiers.has(digest) ? null : `verifier ${digest.slice(0, 'sha256:'.length + 12)}`
}
