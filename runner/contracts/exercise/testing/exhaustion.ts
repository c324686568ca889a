import { type Attack, IS_42, WRONG } from './attack.ts'

/** Using up what there is. Slow ones have a short time-out. */
export const EXHAUSTION: readonly Attack[] = [
  { name: 'infinite loop', body: IS_42, solution: 'export const answer = () => { for (;;); }' },
  { name: 'infinite loop at import', body: IS_42, solution: `for (;;);\n${WRONG}` },
  {
    name: 'promise that never settles',
    body: 'expect(await answer()).toBe(42)',
    solution: 'export const answer = () => new Promise(() => {})',
  },
  {
    name: 'deep recursion',
    body: IS_42,
    solution: 'export const answer = (): number => 1 + answer()',
  },
  {
    name: 'memory bomb on the heap',
    body: IS_42,
    solution:
      'export const answer = () => { const a: any[] = []; for (;;) a.push(new Array(1e6).fill({ a })) }',
  },
  {
    name: 'memory bomb outside the heap',
    body: IS_42,
    solution:
      'export const answer = () => { const a: any[] = []; for (;;) a.push(new Uint8Array(1e8).fill(1)) }',
  },
  {
    name: 'huge console output',
    body: IS_42,
    solution:
      "export const answer = () => { for (let i = 0; i < 200; i++) console.log('x'.repeat(100000)); return 1 }",
  },
  {
    name: 'microtask flood',
    body: IS_42,
    solution:
      'export const answer = () => { const f = () => { queueMicrotask(f) }; f(); return 41 }',
  },
  {
    name: 'Atomics.wait',
    body: IS_42,
    solution:
      'export const answer = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  },
]
