import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { usageError } from '../runner-error.ts'
import { describeFailure } from './describe-failure.ts'

const failed = (code: string, syscall: string, more = {}) =>
  Object.assign(new Error(`${code}: refused, ${syscall} '/x'`), { code, syscall, ...more })

it('says nothing of help and version', () => {
  const shown = new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)')
  expect(describeFailure(shown).exitCode).toBe(0)
})

it('names what to change, for people and for programs', () => {
  const unknown = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'")
  const text = "unknown option '--x'"
  expect(describeFailure(unknown)).toEqual({ exitCode: 2, text, message: text })
  expect(describeFailure(usageError('--seed is\nodd', '--seed'))).toEqual({
    exitCode: 2,
    text: '--seed is⟨U+000A⟩odd',
    message: '--seed is\nodd',
    options: ['--seed'],
  })
})

it('tells a folder in place of a file, also below the sentence of what wrote it', () => {
  const cause = failed('EISDIR', 'rename', { dest: '/runs' })
  const { exitCode, message } = describeFailure(new Error('cannot write /runs', { cause }))
  expect([exitCode, message]).toEqual([2, '/runs is a folder: choose a file'])
})

it('tells a place that cannot be written from a bug, whose stack is for people alone', () => {
  expect(describeFailure(failed('EACCES', 'mkdir'))).toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/^cannot write there \(EACCES.*choose another place/),
  })
  const bug = describeFailure(failed('ENOENT', 'stat'))
  expect(bug.message).toBe(
    "proofboard failed unexpectedly, please report this bug: ENOENT: refused, stat '/x'",
  )
  expect(bug.text).toContain('describe-failure.test.ts')
})
