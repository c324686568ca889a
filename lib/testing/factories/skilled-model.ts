import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { slot, writeEchoAgent } from '#lib/testing/factories/echo-agent.ts'
import { solveScript } from '#runner/gateway/model-script.ts'
import { writeTurn } from '#runner/gateway/write-turn.ts'
import type { LoadedExercise } from '#runner/suites/task-folder.ts'

// Reads rules from the workspace and MCP servers from its configuration, as coding agents do, calls its model and runs
// the commands and tools that the response requests.
const PROGRAM = `#!/usr/bin/env node
const { existsSync, readFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')
const { HOME, ECHO_URL, ECHO_KEY } = process.env
const rules = existsSync('AGENTS.md') ? readFileSync('AGENTS.md', 'utf8') : 'You solve exercises.'
const config = HOME + '/.skilled/mcp.json'
const servers = existsSync(config) ? JSON.parse(readFileSync(config, 'utf8')).mcpServers : {}
const run = {
  Bash: ({ command }) => spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).stdout,
  ...Object.fromEntries(Object.entries(servers).map(([name, { command, args, env }]) => [
    'mcp__' + name + '__ask',
    () => spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } }).stdout,
  ])),
}
async function work() {
  const messages = [{ role: 'user', content: process.argv.at(-1) }]
  for (;;) {
    const answer = await fetch(ECHO_URL + '/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': ECHO_KEY },
      body: JSON.stringify({ model: process.argv[3], max_tokens: 99, system: rules, messages, tools: Object.keys(run).map((name) => ({ name })) }),
    })
    const { content } = await answer.json()
    const calls = content.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) return
    const results = calls.map(({ id, name, input }) => ({ type: 'tool_result', tool_use_id: id, content: run[name](input) || 'done' }))
    messages.push({ role: 'assistant', content }, { role: 'user', content: results })
  }
}
if (process.argv[2] === '--version') console.log('skilled v1.2.3')
else void work()
`

/**
 * Writes a real program that acts as such an agent; returns the path of its definition. `changes` replaces whole
 * members.
 */
export function writeSkilledAgent(root: string, changes: Record<string, unknown> = {}): string {
  // In its own folder, because a sandbox exposes everything next to a program.
  const folder = join(root, 'skilled-agent')
  mkdirSync(folder, { recursive: true })
  const binary = join(folder, 'skilled-agent.cjs')
  writeFileSync(binary, PROGRAM)
  for (const path of [root, folder, binary]) chmodSync(path, 0o755)
  const server = { command: slot('command'), args: slot('args'), env: slot('env') }
  const mcp = {
    docs: 'https://example.org',
    file: { path: '.skilled/mcp.json', member: 'mcpServers', server },
  }
  const path = join(root, 'echo.yaml')
  writeFileSync(path, writeEchoAgent(root, { binary, mcp, ...changes }))
  return path
}

type Ask = {
  system: string
  messages: { role: string; content: unknown }[]
  tools: { name: string }[]
}

/** The n-th attempt at a task, counted separately with and without the skill's text in the request. */
type Attempt = { taskId: string; nth: number; isSkilled: boolean }

/**
 * Starts a provider that solves the configured exercises and reports the others as done without work. The skill's text
 * in the request may decide which. It calls an MCP tool first if one is offered.
 */
export async function startSkilledModel(
  tasks: readonly LoadedExercise[],
  skill: string,
  solves: (attempt: Attempt) => boolean,
) {
  const counts = new Map<string, number>()
  const requested: Ask[] = []
  let answered = 0
  const server = createServer(async (request, result) => {
    if (request.method !== 'POST') return void result.end('{"data":[]}')
    const ask = JSON.parse(await textOf(request)) as Ask
    requested.push(ask)
    answered += 1
    const turn = {
      id: `skilled${answered}`,
      model: 'm-1',
      reason: null,
      stop: 'end' as const,
      createdAt: 1,
      ...next(ask),
      usage: {
        input: 100 + answered,
        output: 20,
        cacheRead: null,
        cacheWrite: null,
        reasoning: null,
      },
    }
    const { contentType, chunks } = writeTurn('anthropic', turn, {
      streams: false,
      asksUsage: false,
    })
    result.writeHead(200, { 'content-type': contentType })
    result.end(chunks.join(''))
  })
  const isSolved = (prompt: string, taskId: string) => {
    const isSkilled = prompt.includes(skill)
    const nth = (counts.get(`${taskId} ${isSkilled}`) ?? 0) + 1
    counts.set(`${taskId} ${isSkilled}`, nth)
    return solves({ taskId, nth, isSkilled })
  }
  const next = ({ system, messages, tools }: Ask) => {
    const turns = messages.filter(({ role }) => role === 'assistant').length
    const tool = tools.find(({ name }) => name.startsWith('mcp__'))
    if (tool && turns === 0) return { say: null, calls: [{ name: tool.name, input: {} }] }
    if (turns !== (tool ? 1 : 0)) return { say: 'Done.', calls: [] }
    const prompt = `${system}\n${String(messages[0]?.content)}`
    const task = tasks.find((one) => prompt.includes(`exercise "${one.task.title}"`))
    if (!task || !isSolved(prompt, task.task.taskId)) return { say: 'I cannot.', calls: [] }
    return { say: null, calls: [{ name: 'Bash', input: writing(task) }] }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requested,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A command that writes a solution which differs from the reference, which would count as copied. */
function writing(task: LoadedExercise): unknown {
  const [honest] = task.honest
  const solver: LoadedExercise = { ...task, reference: honest?.files ?? [] }
  const script = solveScript(solver)
  const ways = [script.turns[1]?.call ?? []].flat()
  return ways.find(({ tool }) => tool === 'Bash')?.input
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
