import { describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest.ts'
import { buildPrompt, PROMPT_VERSION } from './prompt.ts'

const FILES = {
  solution: ['sum.ts'],
  test: ['sum.test.ts'],
  example: ['.meta/reference.ts'],
  support: [],
  instructions: ['.docs/instructions.md'],
}
const SUM = { task: { title: 'Sum', files: FILES }, instructions: '# Sum\n\nAdd.' }

describe('buildPrompt', () => {
  it('says what is asked, the text of the task and the facts of the place', () => {
    const { text, version, digest } = buildPrompt(SUM)
    expect(text).toContain('Edit only: sum.ts.')
    expect(text).toContain('\n\n# Instructions\n\n# Sum\n\nAdd.\n\n# Environment\n')
    expect(text).toContain('sum.test.ts')
    expect([version, digest]).toEqual([PROMPT_VERSION, digestBytes(text)])
  })

  it('starts with a letter, so that nobody takes it for an option', () => {
    const hostile = { ...SUM, task: { title: '--help', files: FILES }, instructions: '--version' }
    expect(buildPrompt(hostile).text).toMatch(/^[A-Z]/)
  })

  it('has another version whenever a word of it changes', () => {
    expect({ [PROMPT_VERSION]: buildPrompt(SUM).digest }).toEqual({
      2: 'sha256:fde30e4285a3709a89fae2625093392a95a4c648b6719eba41cea07e26ffca2b',
    })
  })
})
