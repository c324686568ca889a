import { expect, it } from 'vitest'
import { countMutants, type Judged, survives } from './mutate-suite.ts'

const caughtByBoth: Judged = { visible: 'killed', heldOut: 'killed' }
const caughtByVisible: Judged = { visible: 'killed', heldOut: 'survived' }
const caughtByHeldOut: Judged = { visible: 'survived', heldOut: 'killed' }
const survivor: Judged = { visible: 'survived', heldOut: 'survived' }
const notCompiled: Judged = { visible: 'not-compiled', heldOut: null }

it('counts what the held-out scenario catches by itself, also what the visible tests caught', () => {
  expect(
    countMutants([caughtByBoth, caughtByVisible, caughtByHeldOut, survivor, notCompiled]),
  ).toEqual({ mutants: 5, compiled: 4, caughtByVisible: 2, caughtByHeldOut: 2, surviving: 1 })
})

it('knows no held-out figure without a scenario', () => {
  const [killed, survived]: Judged[] = [
    { visible: 'killed', heldOut: null },
    { visible: 'survived', heldOut: null },
  ]
  expect(countMutants([killed, survived, notCompiled] as Judged[])).toEqual({
    ...{ mutants: 3, compiled: 2, caughtByVisible: 1, caughtByHeldOut: null, surviving: 1 },
  })
  expect(countMutants([notCompiled]).caughtByHeldOut).toBeNull()
})

it('lets a mutant survive only when both judges do', () => {
  const all = [caughtByBoth, caughtByVisible, caughtByHeldOut, survivor, notCompiled]
  expect(all.map(survives)).toEqual([false, false, false, true, false])
})
