import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, expect, it } from 'vitest'
import type { HostRequest } from '../host-protocol.ts'
import { bundleProgram, HOST_PROGRAM } from '../play-library.ts'

const root = mkdtempSync('/tmp/pb-serve-')
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** An MCP server with an endless list of tools, and a tool that fails with a long message. */
const SERVER = `
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
const tool = { name: 'look', description: 'look', inputSchema: { type: 'object' } }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } })
  if (method === 'tools/list') say(id, { tools: params?.cursor ? [] : [tool], nextCursor: 'more' })
  if (method === 'tools/call')
    say(id, { content: [{ type: 'text', text: 'no such element\\n' + 'page '.repeat(1000) + 'end' }], isError: true })
})`

it('passes on to an agent what a tool says, also the whole of a long error', async () => {
  const [script, orderPath] = [join(root, 'server.cjs'), join(root, 'order.json')]
  writeFileSync(script, SERVER)
  const order: HostRequest = {
    library: 'my-mcp',
    definition: {
      schemaVersion: 1,
      name: 'my-mcp',
      title: 'My MCP',
      command: 'node',
      args: [script],
      env: {},
      passEnv: [],
      reads: [],
    },
    drive: { kind: 'agent', argv: ['true'], env: {}, cwd: root, stdin: null },
    endpoint: 'http://127.0.0.1:1',
    webdriverPort: null,
    sockets: [],
    chromedriver: null,
    origin: 'http://e1.localhost:1',
    start: '/',
    files: {},
    actionTimeoutMs: 30_000,
    maxActions: 9,
    folder: root,
    tracePath: join(root, 'trace'),
  }
  writeFileSync(orderPath, JSON.stringify(order))
  const args = [await bundleProgram(HOST_PROGRAM), 'serve', orderPath]
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['look'])
  const { content, isError } = await client.callTool({ name: 'look', arguments: {} })
  expect(isError).toBe(true)
  expect(content).toEqual([{ type: 'text', text: `no such element\n${'page '.repeat(1000)}end` }])
  await client.close()
})
