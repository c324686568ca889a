import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/index.ts'
import { episodesIn, hasChromium, readEvidenceText } from '#lib/testing/factories/chromium.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TASK = ['--suite', 'browser', '--tasks', 'console-unpaid-note']
const FOUND = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
const proofboard = (...args: string[]) => startProofboard(join(root, 'data'), args).ended
const value = (name: string) => `'\${${name}}'`

/** Playwright's server as any user would describe it, its elements by CSS. */
const FILE = `
schemaVersion: 1
name: my-mcp
title: My MCP server
package: '@playwright/mcp'
command: node
args: ['\${package}/cli.js', --cdp-endpoint, ${value('endpoint')}, --timeout-action, ${value('timeoutMs')}]
actions:
  open: { tool: browser_navigate, args: { url: ${value('url')} } }
  click: { tool: browser_click, args: { target: ${value('css')} } }
  fill: { tool: browser_type, args: { target: ${value('css')}, text: ${value('text')} } }
  select: { tool: browser_select_option, args: { target: ${value('css')}, values: [${value('option')}] } }
  evaluate: { tool: browser_evaluate, args: { function: '() => \${script}' } }
`

describe.skipIf(!hasChromium)('a subject that no adapter was written for', () => {
  it('is an MCP server of a file: listed, planned, played by the script of every library', async () => {
    const file = join(root, 'my.yaml')
    writeFileSync(file, FILE)
    const given = ['--library-file', file]
    const listed = lastJson((await proofboard('libraries', ...given, '--json')).stdout)
    expect(listed.libraries).toContainEqual(
      expect.objectContaining({ name: 'my-mcp', driven: ['scripted', 'llm'], missing: null }),
    )
    const out = join(root, 'file')
    const { stderr } = await proofboard('run', ...TASK, ...given, '--out', out)
    const [episode] = episodesIn(out)
    expect(stderr).toContain('isolation: local')
    expect(episode).toMatchObject({
      outcome: { status: 'solved' },
      subject: { kind: 'library', name: 'my-mcp', version: '0.0.83', targeting: 'css' },
      browser: { driven: 'scripted', libraryError: null },
    })
    expect(episode?.subject.adapterVersion).toMatch(/^file\.1\.[0-9a-f]{12}\+[0-9a-f]{8}$/)
    const { load, harnessParts = {} } = episode?.browser ?? {}
    expect(load?.wantedMs).toBeGreaterThan(100)
    expect(load?.waitedMs).toBeLessThanOrEqual(load?.wantedMs ?? 0)
    expect(Object.keys(harnessParts)).toEqual(
      expect.arrayContaining([
        'lease browser',
        'open app',
        'find page',
        'screenshot',
        'reset browser',
      ]),
    )
  }, 240_000)

  it('is a screen: pictures out, coordinates and keys in, metered as any model', async () => {
    const tabs = (count: number) => 'Tab '.repeat(count).trim()
    const computer = (action: string, more = {}) => ({
      call: { tool: 'computer', input: { action, ...more } },
    })
    const links = 5
    const script = join(root, 'screen.json')
    const turns = [
      computer('screenshot'),
      computer('key', { text: tabs(links + 1) }),
      computer('type', { text: 'Fennel Paper' }),
      computer('wait', { duration: 2 }),
      computer('key', { text: tabs(13) }),
      computer('key', { text: 'Return' }),
      computer('wait', { duration: 2 }),
      computer('key', { text: tabs(links + 2) }),
      computer('type', { text: FOUND }),
      computer('key', { text: 'Tab' }),
      computer('key', { text: 'Return' }),
      computer('wait', { duration: 1 }),
      { say: 'The note is added.' },
    ]
    writeFileSync(script, JSON.stringify({ turns }))
    const out = join(root, 'screen')
    const { stderr } = await proofboard(
      ...['run', ...TASK, '--subject', 'computer-use', '--model', 'scripted', '--script', script],
      ...['--max-steps', '30', '--max-tokens', '100000', '--record', '--out', out],
    )
    const [episode] = episodesIn(out)
    expect(episode, stderr).toMatchObject({
      outcome: { status: 'solved' },
      mode: 'mock',
      subject: { name: 'computer-use', adapterVersion: '1+loop.1+prompt.1' },
      browser: { driven: 'llm', targeting: 'coordinates', libraryError: null },
      effort: { steps: turns.length, toolCalls: { computer: turns.length - 1 } },
      usage: { tokens: { input: 100 * turns.length } },
    })
  }, 240_000)

  it('is a coding agent with an MCP server: its tools, our gateway, the same success criteria', async () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'claude'), AGENT, { mode: 0o755 })
    const script = join(root, 'agent.json')
    const call = (tool: string, input: unknown = {}) => ({
      call: { tool: `browser_${tool}`, input },
    })
    const turns = [
      call('navigate', { url: { $match: 'web app is at (http\\S+/customers)' } }),
      call('snapshot'),
      { say: 'I would rather not add the note.' },
    ]
    writeFileSync(script, JSON.stringify({ turns }))
    const out = join(root, 'agent')
    const { stderr } = await startProofboard(
      join(root, 'data'),
      [
        ...['run', ...TASK, '--subject', 'claude-with-playwright-mcp', '--model', 'scripted'],
        ...['--script', script, '--max-steps', '30', '--out', out],
      ],
      { PATH: `${bin}:${process.env.PATH}` },
    ).ended
    const [episode] = episodesIn(out)
    expect(episode, stderr).toMatchObject({
      outcome: { status: 'unsolved' },
      agentSuccess: true,
      subject: {
        ...{ kind: 'agent', name: 'claude-with-playwright-mcp', version: '2.1.329+0.0.83' },
        targeting: 'ref',
      },
      browser: { driven: 'llm', libraryError: null },
      effort: { steps: 3, toolCalls: { browser_navigate: 1, browser_snapshot: 1 } },
    })
    const trace = readEvidenceText(out, episode as Episode, 'steps.ndjson')
      .trim()
      .split('\n')
    expect(trace.map((line) => JSON.parse(line).action)).toEqual([
      'browser_navigate',
      'browser_snapshot',
    ])
  }, 240_000)
})

/** A program that is started, configured and metered as Claude Code is; it does what the model says. */
const AGENT = `#!/usr/bin/env node
const argv = process.argv.slice(2)
if (argv.includes('--version')) { console.log('2.1.329 (Claude Code)'); process.exit(0) }
const { readFileSync } = require('node:fs')
const load = require('node:module').createRequire('${PROJECT_ROOT}/package.json')
const { Client } = load('@modelcontextprotocol/sdk/client/index.js')
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js')
const config = JSON.parse(readFileSync(argv[argv.indexOf('--mcp-config') + 1], 'utf8'))
const client = new Client({ name: 'agent', version: '1' })
void (async () => {
await client.connect(new StdioClientTransport({ ...config.mcpServers.browser, env: process.env, stderr: 'inherit' }))
const { tools } = await client.listTools()
const messages = [{ role: 'user', content: argv[argv.indexOf('-p') + 1] }]
for (;;) {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: {
      'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': process.env.ANTHROPIC_API_KEY,
    },
    body: JSON.stringify({
      model: argv[argv.indexOf('--model') + 1], max_tokens: 1000, messages,
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }),
  })
  const { content } = await answer.json()
  messages.push({ role: 'assistant', content })
  const calls = content.filter(({ type }) => type === 'tool_use')
  if (calls.length === 0) break
  const results = []
  for (const { id, name, input } of calls) {
    const { content } = await client.callTool({ name, arguments: input })
    results.push({ type: 'tool_result', tool_use_id: id, content })
  }
  messages.push({ role: 'user', content: results })
}
await client.close()
})()
`
