import { expect, it } from 'vitest'
import { openJudging } from './open-judging.ts'
import { readToolchains } from './read-toolchains.ts'

it('reads the versions of languages and the certificates where tests run', async () => {
  const isolation = await openJudging(null)
  const read = await readToolchains(isolation)
  const { toolchains = {}, certificates } = read
  expect(toolchains.node).toBe(process.versions.node)
  expect(toolchains.git).toMatch(/^\d+\.\d+/)
  expect(await readToolchains(isolation)).toBe(read)
  expect(certificates ?? '').toMatch(/^(sha256:[0-9a-f]{64})?$/)
})
