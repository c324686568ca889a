import type { EpisodeFact } from '../board/episode-fact.ts'
import type { SeededGenerator } from '../statistics/seeded-generator.ts'
import type { EligibilityContext, FrozenPlan } from './eligibility-context.ts'
import type { RuleCode } from './rule.ts'
import type { SpoilCase } from './whole-case.fixture.ts'

/** One way to break a row, the rule that has to say so, and the rows on which it is one (default: all). */
export type Spoiler = {
  code: RuleCode
  name: string
  spoil: (gate: SpoilCase, chance: SeededGenerator) => SpoilCase
  applies?: (gate: SpoilCase) => boolean
}

export function pick<T>(options: readonly T[], chance: SeededGenerator): T {
  return options[chance.nextBelow(options.length)] as T
}

/** Replaces one episode drawn by chance. */
export function one(
  change: (fact: EpisodeFact, chance: SeededGenerator) => Partial<EpisodeFact>,
): Spoiler['spoil'] {
  return ({ facts, context }, chance) => {
    const at = chance.nextBelow(facts.length)
    const next = facts.map((fact, index) =>
      index === at ? { ...fact, ...change(fact, chance) } : fact,
    )
    return { facts: next, context }
  }
}

/** Replaces every episode. */
export function each(change: (fact: EpisodeFact) => Partial<EpisodeFact>): Spoiler['spoil'] {
  return ({ facts, context }) => ({
    facts: facts.map((fact) => ({ ...fact, ...change(fact) })),
    context,
  })
}

/** Replaces the plans. */
export function plans(
  change: (plan: FrozenPlan, chance: SeededGenerator) => FrozenPlan | null,
): Spoiler['spoil'] {
  return ({ facts, context }, chance) => {
    const next = [...context.plans].flatMap(([digest, plan]) => {
      const changed = change(plan, chance)
      return changed ? [[digest, changed] as const] : []
    })
    return { facts, context: { ...context, plans: new Map(next) } }
  }
}

export function around(change: (gate: SpoilCase) => Partial<EligibilityContext>): Spoiler['spoil'] {
  return (gate) => ({ facts: gate.facts, context: { ...gate.context, ...change(gate) } })
}

export const isDriven = ({ facts }: SpoilCase) =>
  facts.some((fact) => fact.subject.kind === 'agent')
export const isPlain = ({ facts }: SpoilCase) =>
  facts.some((fact) => fact.subject.kind === 'library')
export const first = ({ facts }: SpoilCase) => facts[0] as EpisodeFact
