import { expect, it } from 'vitest'
import { computerTool } from '../libraries/computer-use.ts'
import { modelOptions } from '../libraries/magnitude.ts'
import { LIBRARIES } from '../libraries/registry.ts'
import { modelOf } from '../libraries/stagehand.ts'
import { knownProviders } from '../providers/known-providers.ts'
import { buildCommand } from '../subjects/agents/build-command.ts'
import { pickAgent } from '../subjects/agents/load-agents.ts'
import { listProviders } from '../subjects/agents/providers.ts'
import { findPair, splitPair, withServer } from './agent-pair.ts'
import { modelDriven } from './model-driven.ts'

const pick = (name: string) => {
  const found = LIBRARIES.find((library) => library.name === name)
  if (!found) throw new Error(`unknown ${name}`)
  return found
}

it('reads both names out of one', () => {
  expect(splitPair('claude-with-playwright-mcp')).toEqual({
    agent: 'claude',
    library: 'playwright-mcp',
  })
  expect(splitPair('playwright-mcp')).toBeNull()
  expect(splitPair('nobody-with-playwright-mcp')).toBeNull()
})

it('refuses what is no MCP server, and an agent that is given servers in an unknown way', () => {
  expect(() => findPair('claude-with-puppeteer', pick)).toThrow('"puppeteer" is not an MCP server')
  expect(() => findPair('pi-with-playwright-mcp', pick)).toThrow('choose from claude, codex')
})

const SERVER = { command: 'node', args: ['/host "x".mjs', 'serve', '/t/order.json'] }
const built = (name: string) => {
  const definition = withServer(pickAgent(name, null), SERVER)
  const { argv, files } = buildCommand(definition, {
    protocol: definition.preferred,
    model: 'm',
    prompt: 'the task',
    start: [name],
    effort: null,
    usesLogin: false,
    workspace: '/w',
    home: '/h',
    temporary: '/t',
    endpoint: { baseUrl: 'http://127.0.0.1:1', key: 'k' },
    env: {},
  })
  return { argv, files: files.map(({ path, content }) => [path, content]) }
}

it('gives each agent the server in its own way', () => {
  const claude = built('claude')
  expect(claude.argv.slice(0, 4)).toEqual([
    'claude',
    '--mcp-config',
    '/h/mcp.json',
    '--strict-mcp-config',
  ])
  const [[path, content] = []] = claude.files
  expect(path).toBe('/h/mcp.json')
  expect(JSON.parse(content ?? '')).toEqual({ mcpServers: { browser: SERVER } })
  const codex = built('codex')
  expect(codex.argv.slice(0, 6)).toEqual([
    ...['codex', 'exec', '-c', 'mcp_servers.browser.command="node"', '-c'],
    'mcp_servers.browser.args=["/host \\"x\\".mjs","serve","/t/order.json"]',
  ])
  const gemini = built('gemini').files.find(([name]) => name?.endsWith('.gemini/settings.json'))
  expect(JSON.parse(gemini?.[1] ?? '')).toMatchObject({
    privacy: { usageStatisticsEnabled: false },
    mcpServers: { browser: { ...SERVER, trust: true } },
  })
})

it('asks only providers that speak what a library’s own loop speaks', () => {
  expect(Object.keys(modelDriven(pick('computer-use')).providers)).toEqual(['anthropic'])
  expect(Object.keys(modelDriven(pick('magnitude')).providers)).not.toContain('anthropic')
  expect(modelDriven(pick('playwright-mcp'))).toMatchObject({ preferred: 'openai-chat' })
  const answering = (name: string) =>
    listProviders(modelDriven(pick(name)), knownProviders(null, {}))
  expect(answering('computer-use')).toEqual(expect.arrayContaining(['anthropic', 'openrouter']))
  expect(answering('computer-use')).not.toContain('openai')
  expect(answering('magnitude')).not.toContain('anthropic')
  expect(answering('stagehand')).toEqual(expect.arrayContaining(['anthropic', 'openai', 'ollama']))
})

const LOOP = {
  baseUrl: 'http://127.0.0.1:1/r/x',
  key: 'dummy',
  model: 'some/model',
  temperature: 0,
}
const loop = (protocol: string) => ({
  ...LOOP,
  protocol,
  maxSteps: 5,
  prompt: '',
  start: '',
  files: [],
  connected: () => {},
  act: <T>(_: string, __: unknown, run: () => Promise<T>) => run(),
})

it('sends each library to the gateway with a dummy key', () => {
  const at = { baseURL: 'http://127.0.0.1:1/r/x/v1', apiKey: 'dummy', temperature: 0 }
  expect(modelOf(loop('anthropic'))).toEqual({ modelName: 'anthropic/some/model', ...at })
  expect(modelOf(loop('openai-chat'))).toEqual({
    modelName: 'openai/some/model',
    openaiEndpointFormat: 'chat',
    ...at,
  })
  expect(modelOptions(loop('openai-chat'))).toEqual({
    model: 'some/model',
    baseUrl: at.baseURL,
    apiKey: 'dummy',
    temperature: 0,
  })
})

it.each([
  ['claude-sonnet-4-5', 'anthropic.computer_20250124'],
  ['claude-opus-4-6', 'anthropic.computer_20251124'],
  ['claude-opus-5', 'anthropic.computer_toolset_20260801'],
  ['scripted-1', 'anthropic.computer_20250124'],
])('%s knows the tool as %s', (model, id) => {
  expect(computerTool(model).id).toBe(id)
})
