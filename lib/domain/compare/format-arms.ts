import type { BoardRow } from '../board/index.ts'
import { BASELINE_ARM, countOf, formatCost } from '../record/index.ts'
import type { ArmsView, CostPerGain } from './arms-view.ts'
import { formatVerdict } from './format-comparison.ts'
import type { PairResult } from './measured-difference.ts'
import { formatDifference, formatLevel, formatP } from './measured-difference.ts'

/** Formats the content of a row's arm: `1 file: AGENTS.md, max steps 1`, or `nothing`. */
export function formatArmParts({ armParts = [] }: Pick<BoardRow, 'armParts'>): string {
  return armParts.join(', ') || 'nothing'
}

/** `skill-x (1 file: SKILL.md) solves 12.0 points more than baseline (95 % interval 4.0 to 20.0, adjusted p 0.010): better on these tasks.` */
export function formatArmEffect(name: string, result: PairResult): string {
  if (!result.ok) return `${name} and ${BASELINE_ARM} cannot be compared: ${result.refusal.reason}`
  const { difference, low, high, adjustedP, confidence } = result
  const way = difference < 0 ? 'fewer' : 'more'
  const [from, to] = difference < 0 ? [-high, -low] : [low, high]
  const range = `${formatLevel(confidence)} interval ${formatDifference(from)} to ${formatDifference(to)}`
  const size = `${name} solves ${formatDifference(Math.abs(difference))} points ${way} than ${BASELINE_ARM}`
  return `${size} (${range}, adjusted p ${formatP(adjustedP)}): ${formatVerdict(result)}.`
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
