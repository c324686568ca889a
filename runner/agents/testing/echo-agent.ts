import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { AgentDefinition } from '../agent-definition.ts'
import { parseAgent } from '../parse-agent.ts'

// Says which version it is, else keeps all that it was given in its temporary folder.
const PROGRAM = `#!${process.execPath}
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

/** A real program that plays an agent, and its definition as YAML; `changes` replace whole members. */
export function writeEchoAgent(root: string, changes: Record<string, unknown> = {}): string {
  const binary = join(root, 'echo-agent.cjs')
  writeFileSync(binary, PROGRAM)
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

/** A placeholder as a definition writes it. */
export function slot(name: string): string {
  return `\${${name}}`
}
