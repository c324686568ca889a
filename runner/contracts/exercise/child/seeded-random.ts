const { floor, imul } = Math

/** The same values in the same order for the same seed (32 hexadecimal digits or more): sfc32. */
export function createRandom(seed: string) {
  const word = (index: number): number => Number.parseInt(seed.slice(index * 8, index * 8 + 8), 16)
  let [a, b, c, counter] = [word(0), word(1), word(2), word(3) | 1] as [
    number,
    number,
    number,
    number,
  ]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return imul(sum ^ (sum >>> 16), 0x45d9f3b) >>> 0
  }
  for (let round = 0; round < 12; round++) next()

  const int = (least: number, most: number): number =>
    least + floor((next() / 2 ** 32) * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T
  const list = <T>(least: number, most: number, make: (index: number) => T): T[] => {
    const size = int(least, most)
    const made: T[] = []
    for (let index = 0; index < size; index++) made[index] = make(index)
    return made
  }
  return {
    int,
    pick,
    list,
    chance: (share: number): boolean => next() / 2 ** 32 < share,
    shuffle: <T>(given: readonly T[]): T[] => {
      const mixed = [...given]
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = int(0, last)
        const kept = mixed[last] as T
        mixed[last] = mixed[other] as T
        mixed[other] = kept
      }
      return mixed
    },
    text: (alphabet: string, least: number, most: number): string => {
      const letters = [...alphabet]
      return list(least, most, () => pick(letters)).join('')
    },
  }
}
