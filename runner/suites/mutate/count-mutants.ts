import type { Mutation } from '#lib/domain/mutation.ts'
import type { Judgement } from './judge.ts'

/** What both judges say of one solution; `heldOut` is null where there is no scenario, or nothing that compiles. */
export type Judged = { visible: Judgement; heldOut: Judgement | null }

type Counts = Omit<Mutation, 'wrong' | 'wrongCaught'>

/** Adds up what became of mutants. */
export function countMutants(judged: readonly Judged[]): Counts {
  const compiled = judged.filter(({ visible }) => visible !== 'not-compiled')
  const withHeldOut = compiled.filter(({ heldOut }) => heldOut !== null)
  return {
    mutants: judged.length,
    compiled: compiled.length,
    caughtByVisible: compiled.filter(({ visible }) => visible === 'killed').length,
    caughtByHeldOut:
      withHeldOut.length === 0
        ? null
        : withHeldOut.filter(({ heldOut }) => heldOut === 'killed').length,
    surviving: compiled.filter(survives).length,
  }
}

/** Nothing caught it. */
export function survives({ visible, heldOut }: Judged): boolean {
  return visible === 'survived' && heldOut !== 'killed'
}
