import { describe, expect, it } from 'vitest'
import { ENDINGS, leftByRunner } from '#lib/testing/verifier/killed-runner.ts'

describe('a runner that is killed', { tags: 'linux' }, () => {
  it.each(ENDINGS.slice(1))('%s leaves no process behind', async (_name, solution, signal) =>
    expect(await leftByRunner(solution, signal)).toEqual([]),
  )
})
