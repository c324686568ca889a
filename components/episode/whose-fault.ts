import type { Outcome } from '#lib/domain/outcome.ts'

const VOID_OWNERS = {
  harness: 'the harness’s',
  infrastructure: 'the infrastructure’s',
  provider: 'the provider’s',
} as const

/** Whose fault the ending was, and what it counts for. */
export function whoseFault(outcome: Outcome): string {
  switch (outcome.status) {
    case 'solved':
      return 'Counts as a success.'
    case 'void':
      return `Fault: ${VOID_OWNERS[outcome.fault]}. Counts for nobody.`
    case 'cancelled':
      return 'Fault: nobody’s. Counts for nobody.'
    default:
      return 'Fault: the subject’s. Counts as no success.'
  }
}
