import {
  formatStop,
  formatStopVerdict,
  type JudgedRow,
  ownVerdict,
  renderBadge,
  type StopDecision,
} from '#lib/domain/board/index.ts'
import type { ArmEffect, ArmsView } from '#lib/domain/compare/index.ts'
import type { CompareVerdict } from '#lib/domain/statistics/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import type { RunReport } from '../engine/run-plan.ts'

/** A run with arms at its end. */
export type EndedArms = { report: RunReport; arms: ArmsView | null; rows: readonly JudgedRow[] }

/** The verdict on a skill, as a word and as a sentence. */
type SkillVerdict = { word: 'helps' | 'hurts' | 'no effect' | 'undecided'; text: string }

/** Reads the verdict: that by which the run stopped, else that of the comparison. */
export function readSkillVerdict(
  { arm, difference, sentence }: Pick<ArmEffect, 'arm' | 'difference' | 'sentence'>,
  decided: StopDecision | null,
): SkillVerdict {
  if (decided) {
    const message = formatStopVerdict(decided)
    const word = wordOf(ownVerdict(decided))
    const text =
      word === 'no effect' ? message.replace('difference', 'effect') : `${word}: ${message}`
    return { word, text: `${arm} ${has(word)}${text} on these tasks; ${formatStop(decided)}.` }
  }
  const word = wordOf(difference?.verdict.kind)
  if (word === 'undecided' || difference === null) return { word, text: sentence }
  return {
    word,
    text: `${arm} ${word === 'no effect' ? 'has no relevant effect' : word}. ${sentence}`,
  }
}

function wordOf(
  kind: CompareVerdict['kind'] | StopDecision['verdict'] | undefined,
): SkillVerdict['word'] {
  if (kind === 'better') return 'helps'
  if (kind === 'worse') return 'hurts'
  return kind === 'no-larger-than' ? 'no effect' : 'undecided'
}

const has = (word: SkillVerdict['word']) => (word === 'no effect' ? 'has ' : '')

/**
 * Draws the card for the skill's own page. It says that the entries are unranked where they are, because a number there is
 * read as a result.
 */
export function drawSkillCard(
  { arm, difference }: Pick<ArmEffect, 'arm' | 'difference'>,
  { word }: SkillVerdict,
  { decided, tasks, isRanked }: { decided: StopDecision | null; tasks: number; isRanked: boolean },
): string {
  const found = decided ?? difference
  const size = found === null || word === 'undecided' ? [] : [formatSize(found, word, decided)]
  const parts = [word, ...size, countOf(tasks, 'task'), ...(isRanked ? [] : ['unranked'])]
  const tone = isRanked && word !== 'undecided' ? 'claim' : 'refused'
  return renderBadge({ label: `skill ${arm}`, message: parts.join(' · '), tone })
}

/** `+24 points (8 to 40)`, or the bound within which an effect is. */
function formatSize(
  { difference, low, high }: { difference: number; low: number; high: number },
  word: SkillVerdict['word'],
  decided: StopDecision | null,
): string {
  // A decision compares side a with side b, and the skill may be either.
  const isTurned = decided !== null && decided.side === 'b'
  const [by, from, to] = isTurned ? [-difference, -high, -low] : [difference, low, high]
  const range = `${points(from)} to ${points(to)}`
  if (word === 'no effect') return `${range} ${pluralForm(Math.round(100 * to), 'point', 'points')}`
  const noun = pluralForm(Math.round(100 * Math.abs(by)), 'point', 'points')
  return `${by > 0 ? '+' : ''}${points(by)} ${noun} (${range})`
}

function points(difference: number): string {
  return String(Math.round(100 * difference)).replace('-', '−')
}
