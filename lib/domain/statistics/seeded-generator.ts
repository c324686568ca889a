/** Deterministic random numbers: the same seed yields the same numbers everywhere. */
export type SeededGenerator = {
  /** An integer in 0 … 2³²-1. */
  nextUint32: () => number
  /** An integer in 0 … bound-1, without bias; bound is 1 … 2³². */
  nextBelow: (bound: number) => number
  /** A number in [0, 1) with 32 random bits. */
  nextUnit: () => number
}

/** sfc32 (C. Doty-Humphrey; passes PractRand), filled from a 53-bit seed and warmed up. */
export function seededGenerator(seed: number): SeededGenerator {
  let a = seed >>> 0
  let b = Math.floor(seed / 2 ** 32) >>> 0
  let c = 0x9e3779b9
  let counter = 1
  const nextUint32 = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let warm = 0; warm < 20; warm++) nextUint32()
  const nextBelow = (bound: number) => {
    const limit = 2 ** 32 - (2 ** 32 % bound)
    let value = nextUint32()
    while (value >= limit) value = nextUint32()
    return value % bound
  }
  return { nextUint32, nextBelow, nextUnit: () => nextUint32() / 2 ** 32 }
}

/**
 * Draws task indexes with replacement, as many as there are tasks or as `into` has room for: a bootstrap sample of the
 * tasks.
 */
export function drawTasks(
  tasks: number,
  generator: SeededGenerator,
  into?: Uint32Array,
): Uint32Array {
  const drawn = into ?? new Uint32Array(tasks)
  for (let index = 0; index < drawn.length; index++) drawn[index] = generator.nextBelow(tasks)
  return drawn
}
