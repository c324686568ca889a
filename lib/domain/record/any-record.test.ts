import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleContract, sampleEpisode } from '#lib/testing/factories/samples.ts'
import { anyEpisodeSchema, readAnyEpisode } from './any-record.ts'
import type { Assertion } from './outcome.ts'

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const contract = sampleContract(['one', 'two'])
const episode = json(sampleEpisode({ contract }))

/** Lists the path of every place in a JSON value. */
function listPlaces(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, one]) => listPlaces(one, [...path, key]))
  return [path, ...inner]
}

/** Replaces the value at a path; undefined removes it. */
function change(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  Reflect.set(copy, key, change(Reflect.get(copy, key), rest, other))
  return copy
}

function nest(levels: number): Assertion {
  const [leaf] = contract.assertions
  if (!leaf) throw new Error('a sample contract has assertions')
  return { ...leaf, children: levels > 1 ? [nest(levels - 1)] : [] }
}

describe('readAnyEpisode', () => {
  it('answers what the schema answers, sentences included, whatever is at any place', () => {
    const place = fc.constantFrom(...listPlaces(episode))
    const other = fc.oneof(
      fc.constantFrom(undefined, null, 0, -1, 1.5, '', 'x'.repeat(5000), [], {}, 2, true),
      fc.constantFrom({ unknown: 1 }, { children: [] }, contract, contract.assertions),
      fc.jsonValue({ maxDepth: 2 }),
    )
    fc.assert(
      fc.property(place, other, (path, value) => {
        const input = change(episode, path, value)
        expect(readAnyEpisode(input)).toEqual(anyEpisodeSchema.safeParse(input))
      }),
      { numRuns: 300 },
    )
  })

  it('leaves out what no schema names, at every place', () => {
    for (const path of listPlaces(episode)) {
      const input = change(episode, [...path, 'stranger'], 1)
      const read = readAnyEpisode(input)
      expect(read).toEqual(anyEpisodeSchema.safeParse(input))
    }
  })

  it.each([1, 2, 5, 6, 20])('reads a tree of %d levels', (levels) => {
    const deep = json(sampleEpisode({ contract: { ...contract, assertions: [nest(levels)] } }))
    const read = readAnyEpisode(deep)
    expect(read.success && read.data).toEqual(deep)
  })
})
