import { expect, it } from 'vitest'
import { asPlaceholder } from '../../placeholders.ts'
import { parseEntries } from './mapped-actions.ts'
import { fillArgs } from './mcp-definition.ts'
import { mcpLibrary } from './mcp-library.ts'
import { parseMcpDefinition } from './read-library-file.ts'

const GOOD = `
schemaVersion: 1
name: my-mcp
title: My MCP
command: node
args: [/opt/my/index.js, --cdp, '\${endpoint}']
passEnv: [MY_LICENCE]
version: { command: [node, /opt/my/index.js, --version], pattern: '(\\d+\\.\\d+\\.\\d+)' }
`
const ACTIONS = `
actions:
  open: { tool: go, args: { url: '\${url}' } }
  click: { tool: click, args: { target: '\${css}' } }
  fill: { tool: fill, args: { target: '\${css}', value: '\${text}' } }
  select: { tool: choose, args: { target: '\${css}', values: ['\${option}'] } }
  evaluate: { tool: run, args: { code: '\${script}' } }
`
const ENDPOINT = asPlaceholder('endpoint')
const KEY = asPlaceholder('key')
const SCRIPT = asPlaceholder('script')
const CSS = asPlaceholder('css')
const REF = asPlaceholder('ref')
const TEXT = asPlaceholder('text')
const FILES = asPlaceholder('files')
const read = (text: string) => parseMcpDefinition(text, 'my.yaml')

it('reads a server that a model drives, and one that a script can drive as well', () => {
  const plain = mcpLibrary(read(GOOD))
  expect(plain).toMatchObject({ name: 'my-mcp', modelOnly: true, passesOn: ['MY_LICENCE'] })
  const mapped = mcpLibrary(read(GOOD + ACTIONS))
  expect(mapped).toMatchObject({ modelOnly: false, targeting: 'css' })
  expect(mapped.adapterVersion).toMatch(/^file\.1\.[0-9a-f]{12}$/)
  expect(mapped.adapterVersion).not.toBe(plain.adapterVersion)
})

it('says which of the files that it has to read is not there', () => {
  const reads = (path: string) => mcpLibrary(read(`${GOOD}reads: [${path}]`)).findMissing({})
  expect(reads('/opt/nothing-there')).toContain('/opt/nothing-there, which My MCP has to read')
  expect(reads('/etc/hosts')).toBeNull()
})

it.each([
  ['name: [', 'is not valid YAML'],
  ['just words', 'the library'],
  [
    GOOD.replace('name: my-mcp', 'name: My MCP'),
    'line 3: name: expected at most 40 lower-case letters',
  ],
  [GOOD.replace('command: node', 'command: npx'), 'command: npx would download the server'],
  [GOOD.replace('command: node', 'comand: node'), 'line 5: the library: Unrecognized key'],
  [
    GOOD.replace('command: node', 'command: "sh -c evil"'),
    'expected the name or the absolute path',
  ],
  [GOOD.replace(`, --cdp, '${ENDPOINT}'`, ''), 'args: name no browser'],
  [GOOD.replace(ENDPOINT, `${ENDPOINT} ${KEY}`), `args: unknown placeholder ${KEY}`],
  [GOOD.replace('MY_LICENCE', 'ANTHROPIC_API_KEY'), 'is the key of a model provider'],
  [GOOD.replace('MY_LICENCE', 'LD_PRELOAD'), 'is set by the harness only'],
  [`${GOOD}env: { NODE_OPTIONS: '--import /tmp/x' }`, 'is set by the harness only'],
  [GOOD.replace(/version: .*/, ''), 'version: is missing: a plan pins the exact version'],
  [GOOD.replace('(\\d', '((\\d'), 'version.pattern: expected a regular expression'],
  [GOOD + ACTIONS.replace(SCRIPT, 'x'), 'actions.evaluate: takes the script'],
  [GOOD + ACTIONS.replace(`target: '${CSS}' }`, `target: '${REF}' }`), `${REF} needs a snapshot`],
  ['a'.repeat(300_000), 'is longer than a library can be'],
])('refuses a broken file in one sentence: %#', (text, words) => {
  expect(() => read(text)).toThrow(words)
})

it('fills arguments in one pass, files as a list', () => {
  const action = { tool: 'x', args: { a: TEXT, b: [CSS], paths: FILES, n: 3 } }
  expect(fillArgs(action, { text: CSS, css: '#id' }, ['/f'])).toEqual({
    a: CSS,
    b: ['#id'],
    n: 3,
    paths: ['/f'],
  })
})

it('finds the entries of a snapshot by the expression of the file', () => {
  const entry = /- (?<role>\w+) "(?<name>[^"]*)" \[ref=(?<ref>\w+)\]/
  const [only, ...others] = parseEntries('- button "Save" [ref=e3]\nwords', entry)
  expect(others).toEqual([])
  expect(only?.ref).toBe('e3')
  expect(only?.is('button', 'Save')).toBe(true)
})
