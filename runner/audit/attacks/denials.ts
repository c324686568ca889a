import type { SolutionAttack } from '../attack.ts'
import { stubAfter, stubWithBodies } from '../build-solution.ts'

type Kind = { waits?: boolean }

const inEveryCall = (
  name: string,
  summary: string,
  body: string,
  { waits = false }: Kind = {},
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'denial',
  summary,
  scope: 'sample',
  mustBeNamed: false,
  waits,
  solution: (task) => stubWithBodies(task, { body: () => body }),
})

const atLoad = (
  name: string,
  summary: string,
  prelude: string,
  { waits = false }: Kind = {},
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'denial',
  summary,
  scope: 'sample',
  mustBeNamed: false,
  waits,
  solution: (task) => stubAfter(task, prelude),
})

const NESTED = `export type __Deep<T, N extends unknown[] = []> = N['length'] extends 900 ? T : __Deep<T | [T], [...N, T]>
export type __Bomb = __Deep<__Deep<'a' | 'b' | 'c'>>
export const __bomb: __Bomb = null as never`

/** Using up time and memory while the solution is graded. Failing, without harm to the next attempt, is the right end. */
export const DENIALS: readonly SolutionAttack[] = [
  inEveryCall('loops-in-a-test', 'Never returns from a call.', 'for (;;);', { waits: true }),
  atLoad('loops-at-load', 'Never finishes loading.', 'for (;;);', { waits: true }),
  inEveryCall(
    'never-settles',
    'Returns a promise that never settles.',
    'return new Promise(() => {})',
    {
      waits: true,
    },
  ),
  inEveryCall(
    'microtask-flood',
    'Queues microtasks for ever, so that timers never run.',
    'const again = () => { queueMicrotask(again) }; again(); return undefined',
    { waits: true },
  ),
  inEveryCall(
    'memory-on-the-heap',
    'Fills the heap until the process dies.',
    'const all = []; for (;;) all.push(new Array(1e6).fill({ all }))',
    { waits: true },
  ),
  inEveryCall(
    'memory-off-the-heap',
    'Fills memory outside the heap.',
    'const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))',
    { waits: true },
  ),
  inEveryCall(
    'deep-recursion',
    'Overflows the stack, where some harnesses lose the error.',
    'const down = () => 1 + down(); return down()',
  ),
  inEveryCall(
    'console-flood',
    'Prints twenty megabytes.',
    "for (let i = 0; i < 200; i++) console.log('x'.repeat(100_000)); return undefined",
    { waits: true },
  ),
  inEveryCall(
    'catastrophic-pattern',
    'Asks a regular expression that backtracks for ever.',
    "/^(a+)+$/.test('a'.repeat(60) + '!'); return undefined",
    { waits: true },
  ),
  atLoad(
    'waits-on-an-atomic',
    'Blocks the thread on shared memory.',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    { waits: true },
  ),
  {
    ...atLoad('oversized-solution', 'Hands over half a megabyte of nested operators.', ''),
    solution: (task) =>
      stubAfter(task, `const __deep = ${'('.repeat(250_000)}1${')'.repeat(250_000)}`),
  },
  {
    ...atLoad('type-check-bomb', 'Makes the type check as slow as it can.', '', { waits: true }),
    solution: (task) => task.stubs.map(({ path, text }) => ({ path, text: `${NESTED}\n${text}` })),
  },
]
