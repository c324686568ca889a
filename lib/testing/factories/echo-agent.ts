import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { parseAgent } from '#runner/subjects/agents/load-agents.ts'

// Prints its version, otherwise stores its arguments and environment in its temporary folder.
const ECHO_PROGRAM = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs')
const argv = process.argv.slice(2)
if (argv[0] === '--version') console.log('echo-agent v1.2.3 (build 7)')
else if (argv[0] === 'auth') process.exit(argv.includes('fail') ? 3 : 0)
else {
  const stdin = readFileSync(0, 'utf8')
  const files = Object.fromEntries(argv.filter((word) => word.startsWith('/')).map((path) => [path, readFileSync(path, 'utf8')]))
  writeFileSync(process.env.TMPDIR + '/told.json', JSON.stringify({ argv, stdin, files, env: process.env }))
  console.log('my key is ' + process.env.ECHO_KEY)
  console.log(JSON.stringify({ type: 'result', usage: { in: 7 } }))
  writeFileSync('sum.ts', 'export const sum = 1\\n')
}
`

/** Writes a real program that plays an agent, and its definition as YAML; `changes` replace whole members. */
export function writeEchoAgent(root: string, changes: Record<string, unknown> = {}): string {
  const binary = join(root, 'echo-agent.cjs')
  writeFileSync(binary, ECHO_PROGRAM)
  chmodSync(binary, 0o755)
  return stringify({
    schemaVersion: 1,
    name: 'echo',
    title: 'Echo',
    homepage: 'https://example.org',
    verified: 'measured',
    binary,
    install: { tested: '1.2.3', hint: 'it is part of the test' },
    version: { args: ['--version'], pattern: 'v(\\d+\\.\\d+\\.\\d+)' },
    exitCodes: 'always 0',
    metering: 'gateway',
    prompt: 'argument',
    argv: ['-m', slot('model'), slot('prompt')],
    protocols: { anthropic: { env: { ECHO_URL: slot('baseUrl'), ECHO_KEY: slot('key') } } },
    preferred: 'anthropic',
    providers: { anthropic: { protocol: 'anthropic' } },
    isolation: {},
    ...changes,
  })
}

export function echoAgent(root: string, changes: Record<string, unknown> = {}): AgentDefinition {
  return parseAgent(writeEchoAgent(root, changes), 'echo.yaml')
}

/** Returns a placeholder in the syntax of definitions. */
export function slot(name: string): string {
  return `\${${name}}`
}

// Calls its model repeatedly and runs the requested tools: one writes a file, one reads, one always fails.
const TOOL_PROGRAM = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs')
const TOOLS = {
  write: ({ path, text }) => writeFileSync(path, text),
  look: () => {},
  fail: () => { throw new Error('as asked') },
}
async function run() {
  const messages = [{ role: 'user', content: process.argv.at(-1) }]
  for (;;) {
    const tools = Object.keys(TOOLS).map((name) => ({ name }))
    const answer = await fetch(process.env.ECHO_URL + '/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': process.env.ECHO_KEY },
      body: JSON.stringify({ model: process.argv[3], max_tokens: 99, messages, tools }),
    })
    const { content } = await answer.json()
    const asked = content.filter(({ type }) => type === 'tool_use')
    if (asked.length === 0) return
    messages.push({ role: 'assistant', content }, { role: 'user', content: asked.map(use) })
  }
}
function use({ id, name, input }) {
  const result = { type: 'tool_result', tool_use_id: id, content: 'x' }
  try { TOOLS[name](input) } catch { return { ...result, is_error: true } }
  return result
}
if (process.argv[2] === '--version') console.log('tool-agent v1.2.3')
else void run()
`

/** Writes a real program that calls its model and follows it, and its definition as YAML. */
export function writeToolAgent(root: string): string {
  // In its own folder: a sandbox exposes everything next to a program.
  const folder = join(root, 'tool-agent')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const binary = join(folder, 'tool-agent.cjs')
  writeFileSync(binary, TOOL_PROGRAM)
  chmodSync(binary, 0o755)
  return writeEchoAgent(root, { binary })
}
