import type { EpisodeFact } from '../../board/episode-fact.ts'
import { listNames } from '../list-names.ts'
import { type KnownPrograms, RELEASED_PROGRAMS } from '../released-programs.ts'
import type { Rule } from '../rule.ts'

/** A fork can change the verdicts, so external results must come from known versions of harness and verifier. */
export const harnessRule: Rule = {
  code: 'harness',
  fromSeed: false,
  demand: () =>
    'External results come from a released version of the harness and a released verifier, or from the versions on this server.',
  check: ({ facts, context: { knownPrograms = RELEASED_PROGRAMS } }) => {
    const odd = facts.flatMap((fact) => findUnknown(fact, knownPrograms) ?? [])
    if (odd.length === 0) return null
    return {
      reason: `${odd.length} of ${facts.length} episodes come from an unknown harness or verifier: ${listNames(odd)}.`,
      remedy: 'Rerun with an unmodified release of Proofboard, or on this server.',
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
