import { type Attack, IS_42, WRONG } from './attack.ts'

const quiet = (name: string, code: string, finding: string): Attack => ({
  name,
  body: IS_42,
  solution: `${WRONG}\ntry { ${code} } catch {}\n`,
  finding,
})

/** Attempts that change nothing and swallow their own failure: they are named all the same. */
export const QUIET: readonly Attack[] = [
  quiet('asks for fs', "require('fs')", 'refused-module'),
  quiet(
    'asks for node:child_process',
    "require('node:child_process').execSync('id')",
    'refused-module',
  ),
  quiet('asks for v8', "require('v8').getHeapSnapshot()", 'refused-module'),
  quiet('asks for vm', "require('vm')", 'refused-module'),
  quiet('asks for the inspector', "new (require('inspector').Session)()", 'refused-module'),
  quiet('asks for process.binding', "(process as any).binding('fs')", 'reached-for-internals'),
  quiet(
    'asks for getBuiltinModule',
    "(process as any).getBuiltinModule('fs')",
    'reached-for-internals',
  ),
  quiet('asks for handles', '(process as any)._getActiveHandles()', 'reached-for-internals'),
  quiet('assigns a method', 'Array.prototype.map = (() => []) as any', 'builtin-changed'),
  quiet(
    'assigns through an alias',
    'const list = Array.prototype as any; list.every = () => true',
    'builtin-changed',
  ),
  quiet(
    'assigns by a computed key',
    "const key = 'stringify'; (JSON as any)[key] = () => '42'",
    'builtin-changed',
  ),
  quiet('assigns a global', '(globalThis as any).Map = class {}', 'builtin-changed'),
  quiet('deletes a method', 'delete (Array.prototype as any).map', 'builtin-changed'),
  quiet(
    'defines a method',
    "Object.defineProperty(Array.prototype, 'map', { value: () => [] })",
    'builtin-changed',
  ),
  quiet('reflects', "Reflect.set(String.prototype, 'trim', () => '42')", 'builtin-changed'),
  quiet('merges', 'Object.assign(Math, { floor: () => 42 })', 'builtin-changed'),
  quiet(
    'moves a prototype',
    'Object.setPrototypeOf(Array.prototype, { then() {} })',
    'builtin-changed',
  ),
  quiet('sets toString', 'Object.prototype.toString = () => "42"', 'builtin-changed'),
  quiet('exits', 'process.exit(0)', 'exit-attempt'),
]
