import { expect, it } from 'vitest'
import { deviation } from './verify-workflows.ts'

const PLAYED = { libraryError: null }
const BROKEN = { libraryError: { step: 'sign in', action: 'fill', message: '#email: not there' } }

it('a wrong driver shows something only when it was played to its end', () => {
  expect(deviation('wrong/orders-twice', { status: 'unsolved' }, PLAYED)).toBeNull()
  expect(deviation('wrong/orders-twice', { status: 'solved' }, PLAYED)).toContain(
    'should be unsolved',
  )
  expect(deviation('wrong/orders-twice', { status: 'unsolved' }, BROKEN)).toBe(
    'wrong/orders-twice should be played to its end: sign in, #email: not there',
  )
  expect(deviation('nop', { status: 'unsolved' }, PLAYED)).toBeNull()
})
