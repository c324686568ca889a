import type { Subject } from '../subject.ts'
import type { Suite } from '../suite.ts'

/** The kinds of subjects that a suite measures. A command of the user is an agent; controls test the harness anywhere. */
export function kindsOf(kind: Suite['kind']): readonly Subject['kind'][] {
  switch (kind) {
    case 'exercise':
      return ['agent', 'control']
    case 'browser':
      return ['library', 'control']
    case 'reported':
      return ['agent', 'library', 'control']
  }
}
