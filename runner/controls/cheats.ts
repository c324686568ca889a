/** One way to bend a verdict from inside a solution file: what is put before the stub, and what detectors must say. */
export type Cheat = { name: string; prelude: string; finding: string }

/**
 * Attacks that pass a runner which trusts exit codes, or which shares its matchers and built-ins with the code it
 * judges. Each must be unsolved on every task, and named.
 */
export const CHEATS: readonly Cheat[] = [
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
