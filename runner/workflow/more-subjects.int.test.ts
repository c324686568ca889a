import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Episode } from '#lib/domain/record/index.ts'
import { episodesIn, readEvidenceText } from '#lib/testing/factories/chromium.ts'
import { startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TASK = ['--suite', 'browser', '--tasks', 'console-unpaid-note']

describe('a subject that no adapter was written for', { tags: 'chromium' }, () => {
  it('is a coding agent with an MCP server: its tools, our gateway, the same success criteria', {
    tags: 'night',
    timeout: 240_000,
  }, async () => {
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
        kind: 'agent',
        name: 'claude-with-playwright-mcp',
        version: '2.1.329+0.0.83',
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
  })
})

/** A program that is started, configured and metered like Claude Code; it follows the model. */
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
