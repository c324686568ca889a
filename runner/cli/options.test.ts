import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addPlanOptions, portOption, readSettings } from './options.ts'

it('takes 0 as a free port, as the help of view says', () => {
  expect([portOption('0'), portOption('65535')]).toEqual([0, 65_535])
  expect(() => portOption('65536')).toThrow('--port must be a whole number from 0 to 65,535')
})

it('takes none as no limit, also among pins', () => {
  const command = addPlanOptions(new Command())
  const words = ['--max-steps', 'none', '--max-cost', '1', '--pins', 'max-tokens=none']
  command.parse(words, { from: 'user' })
  const limits = { maxSteps: null, maxTokens: null, maxCostMicroUsd: 1_000_000 }
  expect(readSettings(command.opts())).toMatchObject(limits)
})
