import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { buildProgram } from './main.ts'

const SCREEN_LINES = 40

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)]

it('lists at most twenty commands, and the help of each fits a screen', () => {
  const program = buildProgram({ backup: 'back up the data' })
  const lines = program.helpInformation().split('\nCommands:\n')[1]?.trim().split('\n') ?? []
  expect(lines.filter((line) => !/^ *help /.test(line)).length).toBeLessThanOrEqual(20)
  const long = withAll(program).flatMap((command) => {
    const count = command.helpInformation().split('\n').length
    return count > SCREEN_LINES ? [`${command.name()}: ${count} lines`] : []
  })
  expect(long).toEqual([])
})

it('lists everything with --help-all', () => {
  const program = buildProgram({}, true)
  expect(program.helpInformation()).toContain('model-server')
  const run = program.commands.find((command) => command.name() === 'run')
  expect(run?.helpInformation()).toContain('--registration')
  const short = buildProgram().commands.find((command) => command.name() === 'run')
  expect(short?.helpInformation()).not.toContain('--registration')
})
