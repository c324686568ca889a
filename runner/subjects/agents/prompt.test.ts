import { describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { exerciseForAgents } from '../../kinds/exercise/for-agents.ts'
import type { LoadedExercise } from '../../suites/task-folder.ts'
import { buildPrompt, PROMPT_VERSION } from './prompt.ts'

const FILES = {
  solution: ['sum.ts'],
  test: ['sum.test.ts'],
  example: ['.meta/reference.ts'],
  support: [],
  instructions: ['.docs/instructions.md'],
}
const SUM = {
  task: { title: 'Sum', files: FILES },
  instructions: '# Sum\n\nAdd.',
  forAgents: exerciseForAgents,
}
const promptOf = (task: object) => buildPrompt(task as LoadedExercise)

describe('buildPrompt', () => {
  it('says what is asked, the text of the task and the facts of the place', () => {
    const { text, version, digest } = promptOf(SUM)
    expect(text).toContain('Edit only: sum.ts.')
    expect(text).toContain('\n\n# Instructions\n\n# Sum\n\nAdd.\n\n# Environment\n')
    expect(text).toContain('sum.test.ts')
    expect([version, digest]).toEqual([PROMPT_VERSION, digestBytes(text)])
  })

  it('starts with a letter, so that it is not read as an option', () => {
    const hostile = { ...SUM, task: { title: '--help', files: FILES }, instructions: '--version' }
    expect(promptOf(hostile).text).toMatch(/^[A-Z]/)
  })

  it('says that further inputs are tried where a task holds some back, and only there', () => {
    const held = { ...SUM, task: { ...SUM.task, heldOut: digestBytes('scenario') } }
    expect(promptOf(held).text).toContain('further inputs that the instructions cover')
    expect(promptOf(SUM).text).not.toContain('further inputs')
  })

  it('has another version whenever a word of it changes', () => {
    const held = { ...SUM, task: { ...SUM.task, heldOut: digestBytes('scenario') } }
    expect({ [PROMPT_VERSION]: [SUM, held].map((told) => promptOf(told).digest) }).toEqual({
      3: [
        'sha256:fde30e4285a3709a89fae2625093392a95a4c648b6719eba41cea07e26ffca2b',
        'sha256:b2a8c01268c187aa692342203e2d2262365d42a02438f31e72f3c44feda5dec2',
      ],
    })
  })
})
