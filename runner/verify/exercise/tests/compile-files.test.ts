import { expect, it } from 'vitest'
import { compileFiles } from './compile-files.ts'

it('says why a solution that awaits outside of functions is not loaded', async () => {
  const text = 'const value = await Promise.resolve(1)\nexport const answer = () => value\n'
  expect(await compileFiles([{ path: 'task.ts', text }], 'solution', 10_000)).toEqual({
    files: null,
    error:
      'task.ts:1:15: await works in functions only: the tests of an exercise load it as CommonJS, as jest does',
  })
})
