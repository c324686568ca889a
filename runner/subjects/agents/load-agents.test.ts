import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { adapterVersion } from './agent-definition.ts'
import { findAgent, listAgentNames, loadAgents, parseAgent } from './load-agents.ts'

const CLAUDE = readFileSync('runner/subjects/agents/claude.yaml', 'utf8')
const AMP = readFileSync('runner/subjects/agents/amp.yaml', 'utf8')

function complaint(text: string): string {
  try {
    parseAgent(text, 'my.yaml')
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const lineOf = (text: string, words: string) =>
  text.slice(0, text.indexOf(words)).split('\n').length

describe('the agents that come with Proofboard', () => {
  it('are all there, each under the name of its file', () => {
    expect(listAgentNames()).toEqual(expect.arrayContaining(['aider', 'claude', 'codex', 'vibe']))
    for (const name of listAgentNames()) expect(findAgent(name)?.name).toBe(name)
    expect(findAgent('../claude')).toBeNull()
  })

  it('say why when they are not metered', () => {
    const unmetered = loadAgents().filter(({ metering }) => metering !== 'gateway')
    expect(unmetered.map(({ name }) => name)).toEqual([
      'agy',
      'amp',
      'antigravity',
      'auggie',
      'cursor',
    ])
  })

  it('have a version of their own that follows every change', () => {
    const agent = parseAgent(CLAUDE, 'claude.yaml')
    expect(adapterVersion(agent)).toMatch(/^[0-9a-f]{12}-p\d+$/)
    expect(adapterVersion({ ...agent, argv: [...agent.argv, '-x'] })).not.toBe(
      adapterVersion(agent),
    )
  })
})

describe('a definition that cannot be used is reported in one sentence, with line and path', () => {
  it.each([
    ['an unknown field', CLAUDE, 'homepage:', 'hompage:', 'hompage:', 'Unrecognized key'],
    [
      'an unknown field about models',
      `secondaries: [m]\n${CLAUDE}`,
      'secondaries',
      'secondaries',
      'secondaries:',
      'Unrecognized key',
    ],
    [
      'a helper that is not a name of a model',
      `secondary: ["a b"]\n${CLAUDE}`,
      'a b',
      'a b',
      'secondary:',
      'expected the name of a model',
    ],
    [
      'a field of the wrong kind',
      CLAUDE,
      'tested: 2.1.330',
      'tested: 2.1',
      'tested:',
      'install.tested: ',
    ],
    [
      'an unknown placeholder',
      CLAUDE,
      `\${model}`,
      `\${modle}`,
      'argv:',
      `unknown placeholder \${modle}`,
    ],
    [
      'an effort where none was asked for',
      CLAUDE,
      `- \${model}`,
      `- \${effort}`,
      'argv:',
      `unknown placeholder \${effort}`,
    ],
    [
      'a login that shows what it does not keep',
      CLAUDE,
      'keeps: [.claude/.credentials.json]',
      'keeps: [.claude.json]',
      'gateway:\n    protocol',
      'add it to keeps',
    ],
    [
      'a login that goes to no server',
      CLAUDE,
      'baseUrl: https://api.anthropic.com',
      'baseUrl: file:///etc/passwd',
      'baseUrl: file',
      'does not begin with https:// or http://',
    ],
    [
      'a prompt that is only a part',
      CLAUDE,
      `- \${prompt}`,
      `- say=\${prompt}`,
      'argv:',
      'must be a separate element',
    ],
    [
      'a prompt that is never handed over',
      CLAUDE,
      `- \${prompt}`,
      '- hello',
      'argv:',
      'exactly one element',
    ],
    [
      'a variable of the harness',
      CLAUDE,
      'IS_SANDBOX: "1"',
      'HOME: /root',
      'HOME:',
      'is set by the harness only',
    ],
    [
      'a protocol without a setup',
      CLAUDE,
      'preferred: anthropic',
      'preferred: gemini',
      'preferred:',
      'one of the protocols',
    ],
    ['a pattern without a group', CLAUDE, "pattern: '(", "pattern: '", 'pattern:', 'one group'],
    [
      'a file outside of HOME',
      AMP,
      'preferred: null',
      'preferred: null\nfiles: [{ path: ../x, format: json, content: 1 }]',
      'files:',
      'stays inside its folder',
    ],
    [
      'a provider key for an unmetered agent',
      AMP,
      '[AMP_API_KEY]',
      '[ANTHROPIC_API_KEY]',
      'keys:',
      'a key of its own vendor',
    ],
    [
      'a base URL for an unmetered agent',
      AMP,
      `\${key}`,
      `\${baseUrl}`,
      'metering:',
      `no \${baseUrl} to point at`,
    ],
  ])('%s', (_, text, from, to, at, words) => {
    const spoiled = text.replace(from, () => to)
    const told = complaint(spoiled)
    expect(told).toContain(words)
    expect(told).toMatch(new RegExp(`^my\\.yaml line ${lineOf(spoiled, at)}: `))
    expect(told.split('\n')).toHaveLength(1)
  })

  it.each([
    ['no YAML', 'a: [1, 2', 'my.yaml line 1 is not valid YAML: '],
    ['one key twice', `${CLAUDE}\nname: other\n`, 'is not valid YAML: '],
    ['nothing', '', 'my.yaml: the agent: '],
    ['a list', '- 1', 'my.yaml: the agent: '],
    ['an alias bomb', bomb(), 'my.yaml cannot be read: '],
    ['a book', 'x'.repeat(300_000), 'my.yaml is longer than an agent can be'],
  ])('%s', (_, text, words) => {
    expect(complaint(text)).toContain(words)
    expect(complaint(text).split('\n')).toHaveLength(1)
  })
})

function bomb(): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const items =
      level === 0
        ? '1,1,1,1,1,1,1,1,1'
        : Array(9)
            .fill(`*a${level - 1}`)
            .join(',')
    return `a${level}: &a${level} [${items}]`
  })
  return levels.join('\n')
}
