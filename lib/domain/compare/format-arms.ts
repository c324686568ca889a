import type { BoardRow } from '../board/index.ts'
import { BASELINE_ARM } from '../record/index.ts'
import { countOf, formatCost } from '../text/index.ts'
import type { ArmsView, CostPerGain } from './arms-view.ts'
import { formatPair } from './format-comparison.ts'
import type { PairResult } from './measured-difference.ts'

/** Formats the content of a row's arm: `1 file: AGENTS.md, max steps 1`, or `nothing`. */
export function formatArmParts({ armParts = [] }: Pick<BoardRow, 'armParts'>): string {
  return armParts.join(', ') || 'nothing'
}

/** `skill-x (1 file: SKILL.md) is better than baseline on these tasks: 12 points (4 to 20).` */
export function formatArmEffect(name: string, result: PairResult): string {
  return formatPair(name, BASELINE_ARM, { result })
}

/** Describes whether the arm's content reached the model; null = no observable content. */
export function formatActivation(seen: BoardRow['activation']): string | null {
  if (seen === undefined) return null
  const { offered, used } = seen
  if (used.known === 0)
    return `Unknown whether its content reached the model: ${offered.known === 0 ? 'no gateway saw the requests' : `no line of it can be recognised; offered in ${offered.yes}`}.`
  const attempts = countOf(used.known, 'attempt')
  const rest = seen.episodes - used.known
  const unknown = rest === 0 ? '' : `; unknown in ${rest}`
  const only = offered.yes > used.yes ? `; offered in ${offered.yes}` : ''
  return `Its content reached the model, or its tools were called, in ${used.yes} of ${attempts}${only}${unknown}.`
}

/** Describes the cost of one more solved task, or why it is not stated. */
export function formatCostPerGain(gain: CostPerGain): string {
  if (!gain.ok) return gain.reason
  const { microUsd, lowMicroUsd, highMicroUsd } = gain
  const range = `${formatMoney(lowMicroUsd)} to ${formatMoney(highMicroUsd)}`
  if (microUsd <= 0)
    return `It costs less and solves more: ${formatMoney(microUsd)} for each additional solved task (${range}).`
  return `${formatMoney(microUsd)} for each additional solved task (${range}).`
}

function formatMoney(microUsd: number): string {
  return microUsd < 0 ? `−${formatCost(-microUsd)}` : formatCost(microUsd)
}

/** Formats the effects as lines of text, each arm with its activation, its cost and what would decide. */
export function formatArms({ effects, notes }: ArmsView): string[] {
  return [
    ...effects.flatMap(({ agent, sentence, activation, costPerGain, more }) => [
      `${agent}: ${sentence}`,
      ...(activation === null ? [] : [`  ${activation}`]),
      `  Cost: ${formatCostPerGain(costPerGain)}`,
      ...(more === null ? [] : [`  ${more.sentence}`]),
    ]),
    ...notes,
  ]
}
