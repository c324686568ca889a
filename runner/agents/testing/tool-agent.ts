import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeEchoAgent } from './echo-agent.ts'

// Asks its model over and over and runs the tools it is told to: one writes a file, one looks, one always fails.
const PROGRAM = `#!${process.execPath}
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

/** A real program that talks to its model and does what it says, and its definition as YAML. */
export function writeToolAgent(root: string): string {
  // In a folder of its own: a sandbox is shown all that lies beside a program.
  const folder = join(root, 'tool-agent')
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const binary = join(folder, 'tool-agent.cjs')
  writeFileSync(binary, PROGRAM)
  chmodSync(binary, 0o755)
  return writeEchoAgent(root, { binary })
}
