import { listNames } from '../eligibility/list-names.ts'
import type { Subject } from '../subject.ts'
import type { Suite } from '../suite.ts'

const BY_KIND = {
  // A command of the user is an agent; controls test the harness anywhere.
  exercise: ['agent', 'control'],
  browser: ['library', 'control'],
  reported: ['agent', 'library', 'control'],
} as const satisfies Record<Suite['kind'], readonly Subject['kind'][]>

/** The kinds of subjects that a suite measures: its own list, or what its kind is for. */
export function kindsOf({
  kind,
  subjectKinds,
}: Pick<Suite, 'kind' | 'subjectKinds'>): readonly Subject['kind'][] {
  return subjectKinds ?? BY_KIND[kind]
}

/** `agents and controls`. */
export function listKinds(kinds: readonly Subject['kind'][]): string {
  return listNames(kinds.map((kind) => (kind === 'library' ? 'libraries' : `${kind}s`)))
}
