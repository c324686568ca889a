import { describe, expect, it } from 'vitest'
import { placeRefusal } from './freeze-launch.ts'

describe('a refusal of the runner stands beside its field', () => {
  it.each([
    ['claude is not installed (no claude in PATH): npm install --global x', 'subject'],
    [
      '"gpt-5" does not look like a model of Anthropic: choose another --model or --provider',
      'model',
    ],
    ['unknown provider of claude "x": choose from anthropic', 'provider'],
    ['--isolation docker is not available here: there is no docker', 'isolation'],
    ['--fault: "x@1" is no fault: write kind@step', 'fault'],
    ['unknown task "x": did you mean y?', 'tasks'],
    ['unknown subject "x": choose from nop', 'subject'],
    ['subject "nop" runs inside the harness: remove --isolation docker', 'subject'],
    ['', 'subject'],
  ])('%s', (words, path) => {
    const refusal = placeRefusal(words)
    expect(refusal.path).toBe(path)
    expect(refusal.message).toContain(words)
  })
})
