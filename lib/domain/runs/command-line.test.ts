import { describe, expect, it } from 'vitest'
import { formatPathError, formatUsageError, inheritSettings } from './command-line.ts'

class Tree {
  from: string | null = null
  readonly name: string
  readonly commands: readonly Tree[]
  constructor(name: string, commands: readonly Tree[] = []) {
    this.name = name
    this.commands = commands
  }
  copyInheritedSettings(from: Tree) {
    this.from = from.name
  }
}

it('every level of commands takes its settings from the one above', () => {
  const leaf = new Tree('leaf')
  const branch = new Tree('branch', [leaf])
  const root = new Tree('root', [branch])
  inheritSettings(root)
  expect([root.from, branch.from, leaf.from]).toEqual([null, 'root', 'branch'])
})

describe('formatUsageError', () => {
  it.each([
    ['commander.help', '(outputHelp)', 'missing command: see pb --help'],
    [
      'commander.unknownOption',
      "error: unknown option '--sute'\n(Did you mean --suite?)",
      "unknown option '--sute': did you mean --suite?",
    ],
    ['commander.missingArgument', "error: missing argument 'run'", "missing argument 'run'"],
  ])('%s is one line', (code, message, line) => {
    expect(formatUsageError({ code, message }, 'pb --help')).toBe(line)
  })
})

it('tells a path that cannot be one from an error that may be ours', () => {
  expect(formatPathError({ code: 'ELOOP', path: 'circle/x' })).toBe(
    'circle/x cannot be used (ELOOP): choose another path',
  )
  const path = 'n'.repeat(5000)
  expect(formatPathError({ code: 'ENAMETOOLONG', path })?.length).toBeLessThan(120)
  expect(formatPathError({ code: 'ENOENT', path: 'ours' })).toBeNull()
})
