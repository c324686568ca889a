import type { SourceText } from '../suites/task-folder.ts'

/** Returns the stub with one attack before it. */
export function cheatSolution(stubs: readonly SourceText[], cheat: Cheat): SourceText[] {
  return stubs.map(({ path, text }, index) => ({
    path,
    text: index === 0 ? cheat.prelude + text : text,
  }))
}

/**
 * One way to influence a verdict from inside a solution file: the text before the stub, and the finding that detectors
 * must report.
 */
type Cheat = { name: string; prelude: string; finding: string }

/**
 * Attacks that pass a runner which trusts exit codes, or which shares its matchers and built-ins with the judged code.
 * Each must be unsolved on every task, and named.
 */
export const SOLUTION_CHEATS: readonly Cheat[] = [
  {
    name: 'exits-with-success',
    prelude: 'process.exit(0)\n',
    finding: 'exit-attempt',
  },
  {
    name: 'exits-behind-a-timer',
    prelude: 'setTimeout(() => process.exit(0), 0)\n',
    finding: 'exit-attempt',
  },
  {
    name: 'reaches-for-the-real-process',
    prelude: "Function('return process')().reallyExit(0)\n",
    finding: 'exit-attempt',
  },
  {
    name: 'makes-every-pattern-match',
    prelude: 'RegExp.prototype.test = () => true\nRegExp.prototype.exec = () => null\n',
    finding: 'builtin-changed',
  },
  {
    name: 'makes-values-equal-anything',
    prelude:
      "Object.defineProperty(Boolean.prototype, '$$typeof', { value: Symbol.for('jest.asymmetricMatcher') })\n" +
      "Object.defineProperty(Boolean.prototype, 'asymmetricMatch', { value: () => true })\n",
    finding: 'builtin-changed',
  },
]
