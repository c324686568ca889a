import { expect, it } from 'vitest'
import { describeRefusal } from './send-files.ts'

it('says why an upload was refused, also where a proxy answers for the server', () => {
  expect(describeRefusal('{"status":401,"detail":"Sign in first."}')).toBe('Sign in first.')
  for (const body of ['<h1>Bad gateway</h1>', '', '{}', 'null'])
    expect(describeRefusal(body)).toContain('send the files again')
})
