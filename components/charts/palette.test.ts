import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** Simulation of color vision without one kind of cones, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const EYES: Record<string, Matrix> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** Linear RGB to cones, and the cube roots of those to OKLab. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

const times = (matrix: Matrix, [a, b, c]: Vector): Vector => {
  const [x, y, z] = matrix.map(([p, q, r]) => p * a + q * b + r * c)
  return [x ?? 0, y ?? 0, z ?? 0]
}

function toLinear(colour: string): Vector {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return [red, green, blue]
}

function seenBy(eyes: Matrix, colour: string): Vector {
  const [red, green, blue] = times(eyes, toLinear(colour))
  const [l, m, s] = times(TO_CONES, [red, green, blue].map((part) => Math.max(0, part)) as never)
  return times(TO_LAB, [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)])
}

/** In OKLab, in which 0.02 is just noticed side by side. */
function distance(eyes: Matrix, a: string, b: string): number {
  const [from, to] = [seenBy(eyes, a), seenBy(eyes, b)]
  return Math.hypot(...from.map((part, at) => part - (to[at] ?? 0)))
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b]
    .map(
      (colour) =>
        times(
          [
            [0.2126, 0.7152, 0.0722],
            [0, 0, 0],
            [0, 0, 0],
          ],
          toLinear(colour),
        )[0],
    )
    .sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/** The colours of a theme by name: the first of each name are those of the light one. */
function readThemes() {
  const css = readFileSync('app/globals.css', 'utf8')
  const themes = { light: new Map<string, string>(), dark: new Map<string, string>() }
  for (const [, name = '', value = ''] of css.matchAll(/--([\w-]+): (#[\da-f]{6});/g)) {
    const theme = themes.light.has(name) ? themes.dark : themes.light
    if (!theme.has(name)) theme.set(name, value)
  }
  return themes
}

describe.each(Object.entries(readThemes()))('the colours of entries on %s pages', (_, colours) => {
  const entries = [...colours].flatMap(([name, value]) => (name.startsWith('entry-') ? value : []))

  it.each(Object.entries(EYES))('can be told apart with %s', (_, eyes) => {
    expect(entries).toHaveLength(8)
    const near = entries.flatMap((a, at) => entries.slice(at + 1).map((b) => distance(eyes, a, b)))
    expect(Math.min(...near)).toBeGreaterThan(0.08)
  })

  it('stand out from the page, and are not the colour of an outcome', () => {
    for (const entry of entries) {
      expect(contrast(entry, colours.get('surface') ?? '')).toBeGreaterThan(3)
      for (const outcome of ['good', 'bad', 'warn'])
        expect(distance(EYES.all as Matrix, entry, colours.get(outcome) ?? '')).toBeGreaterThan(
          0.08,
        )
    }
  })
})
