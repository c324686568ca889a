import { expect, it } from 'vitest'
import { familyOf } from './family.ts'

it('is what the author wrote, else the repository, else none', () => {
  expect(familyOf({ taskId: 'a', family: 'cart' })).toBe('cart')
  const git = 'https://example.org/shop.git'
  expect(familyOf({ taskId: 'a', source: { git, commit: 'c' } })).toBe('https://example.org/shop')
  expect(familyOf({ taskId: 'a', source: { folder: 'repo' } })).toBeUndefined()
  expect(familyOf({ taskId: 'django__django-11099' })).toBe('django__django')
  expect(familyOf({ taskId: 'rate-limiter-2' })).toBeUndefined()
})
