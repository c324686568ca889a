import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentDefinition, Protocol } from '#lib/domain/runs/index.ts'
import { sampleAgentOrder } from '#lib/testing/factories/agent-samples.ts'
import { type BuiltCommand, buildCommand } from './build-command.ts'
import { loadAgents } from './load-agents.ts'

const CASES = loadAgents().flatMap((agent): [string, AgentDefinition, Protocol | null][] => {
  const protocols = Object.keys(agent.protocols) as Protocol[]
  return protocols.length === 0
    ? [[agent.name, agent, null]]
    : protocols.map((protocol) => [`${agent.name}-${protocol}`, agent, protocol])
})

const SECRETS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'XAI_API_KEY',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'DATABASE_URL',
  'PROOFBOARD_TOKEN',
] as const

const HOSTILE = [
  '--dangerously-do-more',
  '-c model_provider="x"',
  '"; rm -rf / #',
  '$(id) `id` $HOME',
  `\${key} \${prompt} \${home}`,
  'it\'s "quoted" \\ and\nbroken\r\n\tover lines',
  '"]\n[providers.evil]\nbase_url = "http://evil"',
  '{"a":1},"providers":{}',
  '名前 🚀 \u202e \u0007',
]

beforeEach(() => {
  for (const name of SECRETS) process.env[name] = `secret-of-${name}`
})
afterEach(() => {
  for (const name of SECRETS) delete process.env[name]
})

describe.each(CASES)('%s', (name, agent, protocol) => {
  it('starts exactly so', async () => {
    const { PATH: _, LANG: __, LC_ALL: ___, TZ: ____, ...env } = sampleAgentOrder(protocol).env
    const built = buildCommand(agent, sampleAgentOrder(protocol, { env }))
    const path = join(import.meta.dirname, 'fixtures', 'commands', `${name}.txt`)
    await expect(render(built)).toMatchFileSnapshot(path)
    expect(built).toEqual(buildCommand(agent, sampleAgentOrder(protocol, { env })))
  })

  it('leaves no placeholder and hands over no secret of the server', () => {
    const text = JSON.stringify(buildCommand(agent, sampleAgentOrder(protocol)))
    expect(text).not.toMatch(/\$\{/)
    expect(text).not.toContain('secret-of-')
    expect(SECRETS.some((secret) => text.includes(`"${secret}":"secret`))).toBe(false)
  })

  it.each(HOSTILE)('lets neither prompt nor model add an argument: %j', (hostile) => {
    const calm = buildCommand(agent, sampleAgentOrder(protocol))
    const told = buildCommand(agent, sampleAgentOrder(protocol, { prompt: `Say ${hostile}` }))
    expect(told.argv.map((word) => (word === `Say ${hostile}` ? 'Solve it.' : word))).toEqual(
      calm.argv,
    )
    expect(told.env).toEqual(calm.env)
    expect(told.preCommands).toEqual(calm.preCommands)
    const modelled = buildCommand(agent, sampleAgentOrder(protocol, { model: hostile }))
    expect(modelled.argv).toHaveLength(calm.argv.length)
    expect(
      modelled.argv.filter((word, at) => word !== calm.argv[at] && !word.includes(hostile)),
    ).toEqual([])
    expect(Object.keys(modelled.env)).toEqual(Object.keys(calm.env))
    for (const [at, { path, content }] of modelled.files.entries())
      expect([path, shapeOf(path, content)]).toEqual([
        calm.files[at]?.path,
        shapeOf(path, calm.files[at]?.content ?? '').replaceAll('model-x-1', 'MODEL'),
      ])
  })
})

describe.each(CASES.filter(([, { effort }]) => effort !== undefined))(
  '%s',
  (_, agent, protocol) => {
    const build = (effort: string | null) =>
      buildCommand(agent, sampleAgentOrder(protocol, { effort }))

    it.each(Object.entries(agent.effort?.levels ?? {}))('is asked for effort %s', (level, word) => {
      const [calm, request] = [build(null), build(level)]
      expect(JSON.stringify(request)).toContain(word)
      expect(request).not.toEqual(calm)
      expect(request.argv).toEqual(expect.arrayContaining(calm.argv))
      expect(request.argv.at(-1)).toBe(calm.argv.at(-1))
      expect(request.files.map(({ path }) => path)).toEqual(calm.files.map(({ path }) => path))
      expect(JSON.stringify(request)).not.toMatch(/\$\{/)
    })

    it('is never asked for one that it does not have', () => {
      expect(() => build('no-such')).toThrow('knows no effort no-such')
    })
  },
)

describe.each(CASES.filter(([, { login }]) => login !== undefined))('%s', (_, agent) => {
  it('is set up for its subscription, with a dummy where the gateway stands between', () => {
    const { gateway, keeps } = agent.login ?? { gateway: null, keeps: [] }
    const order = sampleAgentOrder(gateway?.protocol ?? null, { usesLogin: true })
    const built = buildCommand(agent, order)
    expect(JSON.stringify(built)).not.toMatch(/\$\{/)
    expect(JSON.stringify(built).includes('dummy-key')).toBe(gateway !== null)
    // Saved login files must not collide with a file of ours.
    expect(built.files.filter(({ path }) => keeps.some((kept) => path.endsWith(kept)))).toEqual([])
  })
})

it('puts the options of an effort behind words without an option', () => {
  const [agent, protocol] = withEffort()
  const order = {
    ...sampleAgentOrder(protocol),
    effort: Object.keys(agent.effort?.levels ?? {})[0]!,
  }
  const words = { ...agent, argv: ['solve'] }
  const protocols = Object.fromEntries(
    Object.entries(agent.protocols).map(([name, setup]) => [name, { ...setup, argv: ['solve'] }]),
  )
  const { argv, fixed } = buildCommand({ ...words, protocols }, order)
  expect(argv.slice(0, order.start.length + 1)).toEqual([...order.start, 'solve'])
  expect(argv.length).toBeGreaterThan(order.start.length + 1)
  expect(fixed).toBe(order.start.length + 1)
})

function withEffort(): [AgentDefinition, Protocol | null] {
  const found = CASES.find(([, { effort }]) => (effort?.argv.length ?? 0) > 0)
  if (!found) throw new Error('no agent has options for its effort')
  return [found[1], found[2]]
}

describe('a prompt that does not fit into an argument', () => {
  const claude = CASES.find(([name]) => name === 'claude-anthropic')?.[1] as AgentDefinition

  it.each([
    ['is too long for the system', 'x'.repeat(128 << 10)],
    ['holds a zero byte', 'a\0b'],
    ['would be taken for an option', '--version'],
  ])('when it %s is left in a file that the agent is asked to read', (_, prompt) => {
    const { argv, files, passedBy } = buildCommand(
      claude,
      sampleAgentOrder('anthropic', { prompt }),
    )
    expect(passedBy).toBe('file')
    expect(argv.some((word) => word.startsWith('Read the file /episode/tmp/prompt.md '))).toBe(true)
    expect(files.at(-1)).toEqual({ path: '/episode/tmp/prompt.md', content: prompt, mode: 0o644 })
  })

  it('is handed over whole up to the last byte that fits', () => {
    const prompt = 'é'.repeat((128 << 9) - 1)
    const { argv, passedBy } = buildCommand(claude, sampleAgentOrder('anthropic', { prompt }))
    expect([passedBy, argv.includes(prompt)]).toEqual(['argument', true])
  })
})

/** Normalises a file's model name; a JSON file must stay valid JSON, a TOML file keeps its lines. */
function shapeOf(path: string, content: string): string {
  if (content.startsWith('{')) return JSON.stringify(nameModels(JSON.parse(content)))
  return path.endsWith('.toml')
    ? content.replace(/^(model|name) = ".*"$/gm, '$1 = "MODEL"')
    : content
}

function nameModels(value: unknown): unknown {
  if (typeof value === 'string') return HOSTILE.includes(value) ? 'MODEL' : value
  if (Array.isArray(value)) return value.map(nameModels)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [nameModels(name) as string, nameModels(item)]),
  )
}

function render({ argv, env, stdin, files, preCommands, passedBy }: BuiltCommand): string {
  const lines = (title: string, words: readonly string[]) => [
    title,
    ...words.map((word) => `  ${word}`),
  ]
  return [
    ...preCommands.flatMap((words) =>
      lines(
        'first',
        words.map((word) => JSON.stringify(word)),
      ),
    ),
    ...lines(
      'argv',
      argv.map((word) => JSON.stringify(word)),
    ),
    ...lines(
      'env',
      Object.keys(env)
        .sort()
        .map((name) => `${name}=${env[name]}`),
    ),
    `stdin ${stdin ?? 'closed'}`,
    `prompt by ${passedBy}`,
    ...files.flatMap(({ path, content, mode }) =>
      lines(`file ${path} ${mode.toString(8)}`, content.trimEnd().split('\n')),
    ),
    '',
  ].join('\n')
}
