import { expect, it } from 'vitest'
import { countMutants, type JudgedMutant, survives } from './mutate-suite.ts'

const caughtByBoth: JudgedMutant = { visible: 'killed', heldOut: 'killed' }
const caughtByVisible: JudgedMutant = { visible: 'killed', heldOut: 'survived' }
const caughtByHeldOut: JudgedMutant = { visible: 'survived', heldOut: 'killed' }
const survivor: JudgedMutant = { visible: 'survived', heldOut: 'survived' }
const notCompiled: JudgedMutant = { visible: 'not-compiled', heldOut: null }

it('counts what the held-out scenario catches by itself, also what the visible tests caught', () => {
  expect(
    countMutants([caughtByBoth, caughtByVisible, caughtByHeldOut, survivor, notCompiled]),
  ).toEqual({ mutants: 5, compiled: 4, caughtByVisible: 2, caughtByHeldOut: 2, surviving: 1 })
})

it('knows no held-out figure without a scenario', () => {
  const [killed, survived]: JudgedMutant[] = [
    { visible: 'killed', heldOut: null },
    { visible: 'survived', heldOut: null },
  ]
  expect(countMutants([killed, survived, notCompiled] as JudgedMutant[])).toEqual({
    mutants: 3,
    compiled: 2,
    caughtByVisible: 1,
    caughtByHeldOut: null,
    surviving: 1,
  })
  expect(countMutants([notCompiled]).caughtByHeldOut).toBeNull()
})

it('lets a mutant survive only when both judges do', () => {
  const all = [caughtByBoth, caughtByVisible, caughtByHeldOut, survivor, notCompiled]
  expect(all.map(survives)).toEqual([false, false, false, true, false])
})
