import { describe, expect, it } from 'vitest'
import { countToolTokens, describeTools } from './describe-tools.ts'

const CLICK = {
  name: 'click',
  description: 'Clicks an element.',
  inputSchema: {
    type: 'object',
    properties: {
      ref: { type: 'string', description: 'Which element.' },
      button: { enum: ['left', 'right'] },
      anything: { description: 'Who knows.' },
    },
    required: ['ref'],
  },
}

describe('the schemas of tools', () => {
  it('are counted by what they say and leave out', async () => {
    const vague = { name: 'go', description: ' ', inputSchema: { properties: { to: true } } }
    const bare = { name: 'back', description: 'Goes back.', inputSchema: { type: 'object' } }
    expect(await describeTools([CLICK, vague, bare])).toMatchObject({
      tools: 3,
      parameters: 4,
      described: { have: 2, of: 3 },
      parametersTyped: { have: 2, of: 4 },
      parametersDescribed: { have: 2, of: 4 },
      requiredListed: { have: 1, of: 2 },
    })
  })

  it('may be anything at all, or none', async () => {
    const odd = [null, 'text', { properties: 3 }].map((inputSchema, index) => ({
      name: `t${index}`,
      description: '',
      inputSchema,
    }))
    expect(await describeTools(odd)).toMatchObject({ tools: 3, parameters: 0 })
    expect(await describeTools([])).toMatchObject({ tools: 0, described: { have: 0, of: 0 } })
  })

  it('cost tokens by the o200k encoding', async () => {
    expect(await countToolTokens(['hello world'])).toBe(2)
    expect(await countToolTokens(['a <|endoftext|> in a page'])).toBeGreaterThan(3)
    expect((await describeTools([CLICK])).tokens).toBe(
      await countToolTokens([JSON.stringify([CLICK])]),
    )
  })
})
