import { formatCount, plural } from '#components/format/number.ts'
import type { GradingFigures } from '#lib/domain/board/grading-figures.ts'
import type { VerifierSandbox } from '#lib/domain/environment.ts'

const SANDBOX_TEXTS: Record<VerifierSandbox['sandbox'], string> = {
  bubblewrap: 'in bubblewrap',
  'own-user': 'as a separate user',
  none: 'without a sandbox',
}

const NETWORK_TEXTS: Record<VerifierSandbox['network'], string> = {
  none: 'no network',
  host: 'with the host’s network',
}

/** `in bubblewrap, no network`. */
export function formatSandbox({ sandbox, network }: VerifierSandbox): string {
  return `${SANDBOX_TEXTS[sandbox]}, ${NETWORK_TEXTS[network]}`
}

/** What a row must say beside its rate: null where every task has a held-out transcript. */
export function formatCoverage({ tasks, heldOutTasks }: GradingFigures): string | null {
  if (heldOutTasks === 0) return 'visible tests only'
  if (heldOutTasks === tasks) return null
  return `held-out on ${formatCount(heldOutTasks)} of ${plural(tasks, 'task')}`
}

/** Both results: `Visible tests passed 22 of 25 · held-out transcript 20 of 25`. */
export function formatResults(figures: GradingFigures): string {
  const { scored, visiblePassed, heldOutScored, heldOutPassed } = figures
  const visible = `Visible tests passed ${formatCount(visiblePassed)} of ${formatCount(scored)}`
  if (heldOutPassed === null) return `${visible} · no held-out transcript`
  const coverage = formatCoverage(figures)
  const heldOut = `held-out transcript ${formatCount(heldOutPassed)} of ${formatCount(heldOutScored)}`
  return `${visible} · ${heldOut}${coverage ? ` (${coverage})` : ''}`
}

/** Where solutions were graded: `Graded in bubblewrap, no network`; every place with its count when they differ. */
export function formatPlaces({ verifiers }: GradingFigures): string {
  const counts = new Map<string, number>()
  for (const { sandbox, network, episodes } of verifiers) {
    const place = sandbox && network ? formatSandbox({ sandbox, network }) : 'not recorded'
    counts.set(place, (counts.get(place) ?? 0) + episodes)
  }
  const [[first = 'not recorded'] = [], ...others] = counts
  if (others.length > 0)
    return `Mixed: ${[...counts].map(([place, count]) => `${formatCount(count)} ${place}`).join('; ')}`
  return first === 'not recorded' ? 'Not recorded' : `Graded ${first}`
}
