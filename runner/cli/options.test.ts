import { expect, it } from 'vitest'
import { portOption } from './options.ts'

it('takes 0 as a free port, as the help of view says', () => {
  expect([portOption('0'), portOption('65535')]).toEqual([0, 65_535])
  expect(() => portOption('65536')).toThrow('--port must be a whole number from 0 to 65,535')
})
