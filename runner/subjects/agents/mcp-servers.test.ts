import { describe, expect, it } from 'vitest'
import { buildCommand } from './build-command.ts'
import { loadAgents, pickAgent } from './load-agents.ts'
import { addServers } from './mcp-servers.ts'

const SERVER = {
  name: 'notes',
  command: '/usr/bin/node',
  args: ['/workspace/server.mjs', 'a "quoted" word'],
  env: { TOKEN: 's3cret' },
}

function built(name: string) {
  const definition = pickAgent(name, null)
  const order = {
    protocol: definition.preferred,
    effort: null,
    usesLogin: false,
    model: 'm-1',
    prompt: 'Solve it.',
    endpoint: { baseUrl: 'http://127.0.0.1:1', key: 'k' },
    start: ['/bin/agent'],
    workspace: '/workspace',
    home: '/home/agent',
    temporary: '/tmp',
    env: {},
  }
  const plain = buildCommand(definition, order)
  const arm = (servers: (typeof SERVER)[]) =>
    addServers(plain, definition, { servers, home: order.home })
  return { plain, arm }
}

const armed = (name: string) => built(name).arm([SERVER])

const fileOf = (name: string, path: string) => {
  const file = armed(name).files.find((one) => one.path === `/home/agent/${path}`)
  return JSON.parse(file?.content ?? '{}')
}

describe('MCP servers in the configuration of an agent', () => {
  it('stand where its documentation says, beside what stands there already', () => {
    expect(fileOf('claude', '.proofboard/mcp.json')).toEqual({
      mcpServers: { notes: { type: 'stdio', ...withoutName() } },
    })
    expect(armed('claude').argv.slice(0, 4)).toEqual([
      '/bin/agent',
      '--mcp-config',
      '/home/agent/.proofboard/mcp.json',
      '--strict-mcp-config',
    ])
    const gemini = fileOf('gemini', '.gemini/settings.json')
    expect(gemini.mcpServers.notes).toEqual({ ...withoutName(), trust: true })
    expect(gemini.security.auth.selectedType).toBe('gemini-api-key')
    const opencode = fileOf('opencode', 'opencode-gateway.json')
    expect(opencode.mcp.notes).toEqual({
      type: 'local',
      command: [SERVER.command, ...SERVER.args],
      environment: SERVER.env,
      enabled: true,
    })
    expect(opencode.provider.gw).toBeDefined()
  })

  it('are arguments for Codex behind its subcommand, and their values no argument', () => {
    const { argv, env } = armed('codex')
    expect(argv.slice(0, 4)).toEqual([
      ...['/bin/agent', 'exec', '-c'],
      'mcp_servers.notes.command="/usr/bin/node"',
    ])
    expect(argv).toContain('mcp_servers.notes.args=["/workspace/server.mjs","a \\"quoted\\" word"]')
    expect(argv).toContain('mcp_servers.notes.env_vars=["TOKEN"]')
    expect(argv.join(' ')).not.toContain(SERVER.env.TOKEN)
    expect(env.TOKEN).toBe(SERVER.env.TOKEN)
  })

  it('change nothing where there are none, for any agent', () => {
    for (const { name, mcp } of loadAgents()) {
      const { plain, arm } = built(name)
      expect(arm([])).toBe(plain)
      if (mcp) expect(JSON.stringify(arm([SERVER]))).toContain('notes')
    }
  })
})

function withoutName() {
  const { name: _, ...rest } = SERVER
  return rest
}
