import { expect, it } from 'vitest'
import { applyPatches } from './expect-patches.ts'

const patch = { find: 'a()', replace: 'b()', times: 2 }

it('replaces every place and brings the guard in', () => {
  expect(applyPatches('x.js', "'use strict';\na() + a()", [patch])).toBe(
    "'use strict';\nconst __guard = require('proofboard:guard');\nb() + b()",
  )
})

it('refuses a package that is not the one it was made for', () => {
  expect(() => applyPatches('x.js', 'a()', [patch])).toThrow('expected 2')
})
