import { assertionCounts, restoreCounts } from './expect-guard.ts'

type Matchers = Record<string, (...given: unknown[]) => unknown>
type Expectation = Matchers & { not: Matchers; resolves: Matchers; rejects: Matchers }
export type Expect = (value: unknown) => Expectation

type Canary = { name: string; truth: (expect: Expect) => unknown; lie: (expect: Expect) => unknown }

/** Assertions on secrets unknown to solutions: the true one must pass, the false one must throw. */
export function createCanaries(expect: Expect, seed: string) {
  const [a, b] = [`${seed}-a`, `${seed}-b`]
  const raise = (message: string) => () => {
    throw new TypeError(message)
  }
  const canaries: readonly Canary[] = [
    { name: 'toBe', truth: (e) => e(a).toBe?.(a), lie: (e) => e(a).toBe?.(b) },
    { name: 'not.toBe', truth: (e) => e(a).not.toBe?.(b), lie: (e) => e(a).not.toBe?.(a) },
    {
      name: 'toEqual',
      truth: (e) => e({ k: [a] }).toEqual?.({ k: [a] }),
      lie: (e) => e({ k: [a] }).toEqual?.({ k: [b] }),
    },
    {
      name: 'toStrictEqual',
      truth: (e) => e([a, { b }]).toStrictEqual?.([a, { b }]),
      lie: (e) => e([a]).toStrictEqual?.([b]),
    },
    {
      name: 'toEqual Map',
      truth: (e) => e(new Map([[a, 1]])).toEqual?.(new Map([[a, 1]])),
      lie: (e) => e(new Map([[a, 1]])).toEqual?.(new Map([[b, 1]])),
    },
    {
      name: 'toThrow',
      truth: (e) => e(raise(a)).toThrow?.(a),
      lie: (e) => e(raise(a)).toThrow?.(b),
    },
    {
      name: 'toThrow class',
      truth: (e) => e(raise(a)).toThrow?.(TypeError),
      lie: (e) => e(raise(a)).toThrow?.(RangeError),
    },
    {
      name: 'toMatch',
      truth: (e) => e(a).toMatch?.(new RegExp(a)),
      lie: (e) => e(a).toMatch?.(new RegExp(b)),
    },
    {
      name: 'toBeCloseTo',
      truth: (e) => e(0.1 + 0.2).toBeCloseTo?.(0.3),
      lie: (e) => e(0.1).toBeCloseTo?.(0.3),
    },
    {
      name: 'toHaveLength',
      truth: (e) => e(a).toHaveLength?.(a.length),
      lie: (e) => e(a).toHaveLength?.(1),
    },
    { name: 'toContain', truth: (e) => e([a]).toContain?.(a), lie: (e) => e([a]).toContain?.(b) },
    { name: 'toBeTruthy', truth: (e) => e(a).toBeTruthy?.(), lie: (e) => e('').toBeTruthy?.() },
    {
      name: 'toBeInstanceOf',
      truth: (e) => e(new Map()).toBeInstanceOf?.(Map),
      lie: (e) => e(new Map()).toBeInstanceOf?.(Set),
    },
  ]

  const check = ({ name, truth, lie }: Canary): string | null => {
    try {
      truth(expect)
    } catch {
      return `${name} refused a true assertion`
    }
    try {
      lie(expect)
    } catch {
      return null
    }
    return `${name} accepted a false assertion`
  }
  const uncounted = (run: () => string | null): string | null => {
    const counts = assertionCounts()
    const failure = run()
    restoreCounts(counts)
    return failure
  }
  let next = 0
  return {
    all: () => uncounted(() => canaries.map(check).find((failure) => failure !== null) ?? null),
    /** One of them, in turn: cheap enough for after every test. */
    one: () => uncounted(() => check(canaries[next++ % canaries.length] as Canary)),
    /** The same for promises. */
    async: async (): Promise<string | null> => {
      const counts = assertionCounts()
      const failure = await checkPromises(expect, a, b)
      restoreCounts(counts)
      return failure
    },
  }
}

async function checkPromises(expect: Expect, a: string, b: string): Promise<string | null> {
  const refused = async (lie: unknown): Promise<boolean> => {
    try {
      await lie
      return false
    } catch {
      return true
    }
  }
  if (await refused(expect(Promise.resolve(a)).resolves.toBe?.(a)))
    return 'resolves refused a true assertion'
  if (!(await refused(expect(Promise.resolve(a)).resolves.toBe?.(b))))
    return 'resolves accepted a false assertion'
  if (!(await refused(expect(Promise.reject(new Error(a))).rejects.toThrow?.(b))))
    return 'rejects accepted a false assertion'
  return null
}
