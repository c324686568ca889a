import { describe, expect, it } from 'vitest'
import { OPTION_LIST } from '../../domain/settings/index.ts'
import { assignRefusal } from './freeze-launch.ts'

describe('a refusal of the runner stands beside its field', () => {
  it.each([
    ['--subject', 'subject'],
    ['--model', 'model'],
    ['--provider', 'provider'],
    ['--isolation', 'isolation'],
    ['--fault', 'fault'],
    ['--tasks', 'tasks'],
    ['--suite', 'suite'],
    ['--repetitions', 'repetitions'],
    ['--browser', 'browser'],
    ['--spend-cap', 'cap'],
    ['--max-steps', 'steps'],
    ['--max-tokens', 'tokens'],
    ['--max-cost', 'cost'],
    ['--temperature', 'temperature'],
    ['--timeout', 'timeout'],
    ['--price', 'price'],
    ['--effort', 'effort'],
    ['--custom-instruction', 'instruction'],
    ['--agent-version', 'agentVersion'],
    ['--agent-file', '(root)'],
    [null, '(root)'],
  ])('%s', (option, path) => {
    expect(assignRefusal({ option, message: 'why' })).toEqual({ path, message: 'why' })
  })

  it('has a field for every setting that the form asks for', () => {
    for (const { option, field } of OPTION_LIST)
      expect(assignRefusal({ option: option.flag, message: '' }).path).toBe(field ?? '(root)')
  })

  it('is cut to a length that a form can show', () => {
    expect(assignRefusal({ option: null, message: 'x'.repeat(9000) }).message).toHaveLength(500)
  })
})
