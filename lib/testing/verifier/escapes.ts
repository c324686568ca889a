import { type ExerciseAttack, IS_42, WRONG } from './exercise-input.ts'

/** Attacks that end the process, reach the real one, or write its report. */
export const ESCAPES: readonly ExerciseAttack[] = [
  {
    name: 'process.exit(0) at import',
    body: IS_42,
    solution: `process.exit(0)\n${WRONG}`,
    finding: 'exit-attempt',
  },
  {
    name: 'process.exit(0) in a test',
    body: IS_42,
    solution: 'export const answer = () => process.exit(0)',
    finding: 'exit-attempt',
  },
  {
    name: 'process.reallyExit',
    body: IS_42,
    solution: 'export const answer = () => process.reallyExit(0)',
    finding: 'exit-attempt',
  },
  {
    name: 'process.kill',
    body: IS_42,
    solution:
      "export const answer = () => { try { process.kill(process.pid, 'SIGKILL') } catch {} return 1 }",
    finding: 'exit-attempt',
  },
  {
    name: 'process.exit swallowed',
    body: 'expect(1).toBe(1); answer()',
    solution: 'export const answer = () => { try { process.exit(0) } catch {} }',
    finding: 'exit-attempt',
  },
  {
    name: "Function('return process')()",
    body: IS_42,
    solution: "export const answer = () => Function('return process')().reallyExit(0)",
    finding: 'exit-attempt',
  },
  {
    name: 'process.constructor.constructor',
    body: IS_42,
    solution:
      "export const answer = () => process.constructor.constructor('return process')().exit(0)",
    finding: 'exit-attempt',
  },
  {
    name: 'console.log.constructor',
    body: IS_42,
    solution: "export const answer = () => console.log.constructor('return process')().exit(0)",
    finding: 'exit-attempt',
  },
  {
    name: 'process.mainModule.require',
    body: IS_42,
    solution: "export const answer = () => process.mainModule.require('fs').writeSync(4, 'x')",
  },
  {
    name: 'process.binding',
    body: IS_42,
    solution: "export const answer = () => process.binding('fs')",
  },
  {
    name: 'import fs',
    body: IS_42,
    solution: `import { writeSync } from 'node:fs'\nwriteSync(4, '{}')\n${WRONG}`,
  },
  { name: 'require fs', body: IS_42, solution: `require('fs').writeSync(4, '{}')\n${WRONG}` },
  {
    name: 'import child_process',
    body: IS_42,
    solution: `import { execSync } from 'child_process'\nexecSync('true')\n${WRONG}`,
  },
  {
    name: 'import worker_threads',
    body: IS_42,
    solution: `import { Worker } from 'node:worker_threads'\nnew Worker('')\n${WRONG}`,
  },
  {
    name: 'import vm',
    body: IS_42,
    solution: `import vm from 'node:vm'\nvm.runInThisContext('1')\n${WRONG}`,
  },
  {
    name: 'import()',
    body: 'expect(await answer()).toBe(42)',
    solution:
      "export const answer = async () => { const fs = await import('node:fs'); fs.writeSync(4, '{}'); return 42 + fs.constants.O_RDONLY }",
  },
  {
    name: 'import() from Function',
    body: 'expect(await answer()).toBe(42)',
    solution:
      'export const answer = async () => { await Function(\'return import("node:fs")\')(); return 42 }',
  },
  {
    name: 'import() from a function made by a promise',
    body: 'expect(await answer()).toBe(42)',
    solution:
      'export const answer = async () => { const f = await Promise.resolve(\'return import("node:fs")\').then(Function); await f(); return 42 }',
  },
  {
    name: 'EventEmitter.prototype.emit sees the real process',
    body: 'await new Promise((r) => setTimeout(r, 20)); expect(answer()).toBe(42)',
    solution:
      "import { EventEmitter } from 'node:events'\nlet seen: any\ntry { EventEmitter.prototype.emit = function () { seen = this; return true } } catch {}\nPromise.reject(1).catch(() => 1)\nexport const answer = () => { if (seen?.reallyExit) seen.reallyExit(0); return seen ? 42 : 41 }",
  },
  {
    name: 'timer links',
    body: IS_42,
    solution:
      'export const answer = () => { const t: any = setTimeout(function (this: any) {}, 1e6); for (const k of Reflect.ownKeys(t)) if (/idle/i.test(String(k))) return 42; return t._idleNext ? 42 : 41 }',
  },
  {
    name: 'call sites by prepareStackTrace',
    body: IS_42,
    solution:
      "export const answer = () => { let sites: any; Error.prepareStackTrace = (_e, s) => { sites = s; return '' }; new Error().stack; return sites ? 42 : 41 }",
  },
  {
    name: 'prepareStackTrace by defineProperty',
    body: IS_42,
    solution:
      "let sites: any; try { Object.defineProperty(Error, 'prepareStackTrace', { value: (_: any, s: any) => { sites = s; return '' } }) } catch {} export const answer = () => { new Error().stack; return sites ? 42 : 41 }",
  },
  {
    name: 'arguments.callee.caller',
    body: IS_42,
    solution:
      "export const answer = Function('return function answer() { return answer.caller ? 42 : 41 }')()",
  },
  { name: 'imports the tests', body: IS_42, solution: `import './task.test.ts'\n${WRONG}` },
  {
    name: 'asks for expect',
    body: IS_42,
    solution: `import { expect } from '@jest/globals'\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) })\n${WRONG}`,
  },
  {
    name: 'expect as a global',
    body: IS_42,
    solution: `;(globalThis as any).expect?.extend({ toBe: () => ({ pass: true, message: () => '' }) })\n${WRONG}`,
  },
  {
    name: 'the registered matcher store',
    body: IS_42,
    solution: `const m = (globalThis as any)[Symbol.for('$$jest-matchers-object')]\nif (m) m.matchers.toBe = () => ({ pass: true })\n${WRONG}`,
  },
  {
    name: 'globals reassigned',
    body: IS_42,
    solution: `const noop: any = () => ({ toBe() {} })\nObject.assign(globalThis, { expect: noop, it: noop, describe: noop, test: noop })\n${WRONG}`,
  },
  {
    name: 'an extra test',
    body: IS_42,
    solution: `;(globalThis as any).it?.('t', () => {})\n${WRONG}`,
  },
]

/** Attacks that exhaust resources. Slow ones have a short timeout. */
/** The first four are tried in every test run. */
export const EXHAUSTION: readonly ExerciseAttack[] = [
  { name: 'infinite loop', body: IS_42, solution: 'export const answer = () => { for (;;); }' },
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
  { name: 'infinite loop at import', body: IS_42, solution: `for (;;);\n${WRONG}` },
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
