import { describe, expect, it } from 'vitest'
import { type Arm, digestArm, unknownActivation } from '#lib/domain/record/index.ts'

import { ActivationWatch } from './activation-watch.ts'

function arm(content: Partial<Arm>): Arm {
  const whole = { files: [], mcpServers: [], ...content }
  return { name: 'x', digest: digestArm(whole), ...whole }
}

const SKILL = `---
name: careful-tests
description: Use this skill whenever a task comes with a test file.
---
# Careful tests

Read every assertion of the test file before the first edit.
Write down the invariants that the assertions imply.
Run through the edge cases by hand, empty input first.
`
const skilled = arm({ files: [{ path: '.claude/skills/careful/SKILL.md', text: SKILL }] })

const asked = (content: unknown, tools: string[] = []) => ({
  protocol: 'anthropic' as const,
  json: { messages: [{ role: 'user', content }], tools: tools.map((name) => ({ name })) },
})

describe('activation of an arm', () => {
  it('is offered by its description, and used by its text, with any characters around its lines', () => {
    const watch = new ActivationWatch(skilled, [])
    watch.ask(asked('Solve it.'))
    expect(watch.report()).toMatchObject({ offered: false, used: false })
    watch.ask(asked('- careful: Use this skill whenever a task comes with a test file.'))
    expect(watch.report()).toMatchObject({ offered: true, used: false })
    const numbered = SKILL.split('\n').map((line, index) => `   ${index}→${line}`)
    watch.ask(asked([{ type: 'tool_result', content: JSON.stringify(numbered.join('\n')) }]))
    expect(watch.report()).toEqual({
      offered: true,
      used: true,
      parts: [{ kind: 'file', name: '.claude/skills/careful/SKILL.md', offered: true, used: true }],
    })
  })

  it('ignores text that the task contains anyway, and is unknown for a text without distinct lines', () => {
    const prefix = arm({ promptPrefix: 'Read the instructions and implement the class.' })
    const watch = new ActivationWatch(prefix, [
      'Please read the instructions and implement the class.',
    ])
    watch.ask(asked('Please read the instructions and implement the class.'))
    expect(watch.report().used).toBeNull()
    const short = new ActivationWatch(arm({ promptPrefix: 'Go.' }), [])
    short.ask(asked('Go.'))
    expect(short.report().used).toBeNull()
  })

  it.each([
    ['mcp__notes-db__query', true],
    ['notes-db-query', true],
    ['notes_db_query', true],
    ['query', false],
    ['my_notes_db', false],
  ])('knows the tools of an MCP server by its name: %s', (tool, isOwn) => {
    const server = { name: 'notes-db', command: 'x', args: [], env: {} }
    const watch = new ActivationWatch(arm({ mcpServers: [server] }), [])
    watch.ask(asked('Solve it.', ['Bash', tool]))
    expect(watch.report()).toMatchObject({ offered: isOwn, used: false })
    watch.settle({ toolCalls: [tool] })
    expect(watch.report()).toMatchObject({ offered: isOwn, used: isOwn })
  })

  it('survives a request that is nested as deep as it can be', () => {
    const watch = new ActivationWatch(skilled, [])
    let deep: unknown = 'Run through the edge cases by hand, empty input first.'
    for (let level = 0; level < 200_000; level++) deep = [deep]
    watch.ask(asked(deep))
    expect(watch.report()).toMatchObject({ used: false })
  })

  it('is unknown without a gateway, not false, and absent for an arm of settings alone', () => {
    expect(unknownActivation(skilled)).toMatchObject({ offered: null, used: null })
    expect(unknownActivation(arm({ settings: { maxSteps: 5 } }))).toBeUndefined()
  })
})
