import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AgentDefinition } from '#lib/domain/runs/index.ts'
import { formatTable } from '#lib/testing/chaos/kill/print-table.ts'
import {
  AgentBench,
  type AgentRun,
  NOT_SEEN,
  readEvidence,
  solvingScript,
  tokensOf,
  toolNames,
} from '#lib/testing/factories/agent-bench.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import { findLevels, findRealAgents, requestedAgents } from '#lib/testing/factories/real-agents.ts'
import { lacking } from '#lib/testing/needs.ts'
import type { ModelScript } from '../../../gateway/model-script.ts'
import { parseRecording } from '../../../gateway/recording.ts'
import { buildPrompt } from '../prompt.ts'

const request = requestedAgents()
const { agents, missing } = await findRealAgents(request.names)
const { levels, stop } = await findLevels(request.levels)

const cases = agents.flatMap((agent) =>
  levels.flatMap((level) => agent.protocols.map((protocol) => ({ agent, level, protocol }))),
)
const table: string[][] = []
let bench: AgentBench
let script: ModelScript
let scriptFile: string
let promptDigest: string

beforeAll(async () => {
  bench = new AgentBench()
  const task = await loadOneTask('lru-cache')
  script = solvingScript(task)
  scriptFile = bench.write('script.json', JSON.stringify(script))
  promptDigest = buildPrompt(task).digest
})
// Each result is printed at once: the whole test takes long.
afterEach(() => {
  process.stderr.write(`${table.at(-1)?.join('  ') ?? ''}\n`)
})
afterAll(async () => {
  bench.remove()
  await stop()
  const head = 'agent version protocol isolation outcome steps tokens seconds replay effort'.split(
    ' ',
  )
  const lacking = missing.map(({ name, reason }) => `${name}: ${reason}`)
  const figures = `${new Set(table.map(([name]) => name)).size} agents ran`
  process.stderr.write(`\n${formatTable(head, table)}\n${[figures, ...lacking].join('\n')}\n`)
})

for (const { name, reason } of missing) addSkipped(name, reason)
for (const level of request.levels.filter((one) => !levels.includes(one)))
  addSkipped(level, `isolation ${level}`)

describe.each(cases)('$agent.definition.name, $protocol, $level', ({ agent, level, protocol }) => {
  it('solves an exercise, is metered to the token, leaves nothing, and does it again offline', async () => {
    // Requested in one of the two ways only, so that the other shows the agent's own default.
    const effort = level === 'local' ? null : effortOf(agent.definition)
    const more = effort === null ? [] : ['--effort', effort.level]
    const args = ['--script', scriptFile, '--record', ...more]
    const first = await bench.run(agent, protocol, level, args)
    const row = noteRun(first, [agent.definition.name, protocol, level])
    checkRun(first)
    checkMetering(first)
    expect(readEvidence(first, 'recording.json')).toContain(NOT_SEEN)
    row[9] = effort === null ? '-' : askedEffort(first, effort.word)
    const again = await bench.run(agent, protocol, level, ['--replay', first.folder, ...more])
    row[8] = again.episode.outcome.status
    checkRun(again)
    checkMetering(again)
    expect(recordingOf(again)).toEqual(recordingOf(first))
    if (effort !== null) expect(row[9]).toBe(effort.word)
  })
})

/** Returns a level of effort that most agents have, and the agent's own word for it; null if it has no setting. */
function effortOf({ effort }: AgentDefinition): { level: string; word: string } | null {
  if (!effort) return null
  const [[level = '', word = ''] = []] = Object.entries(effort.levels).filter(
    ([name]) => name === 'high',
  )
  return { level, word }
}

/** Returns the effort that its requests name, or turn into a budget of thinking; `none` if neither. */
function askedEffort(run: AgentRun, word: string): string {
  const names = new RegExp(`(effort|thinkingLevel)[\\\\":{]+${word}\\b`, 'i')
  const thinks = /thinking[\\":{]+type[\\":]+enabled|thinkingBudget[\\":]+-?[1-9]/
  const recording = readEvidence(run, 'recording.json')
  return names.test(recording) || thinks.test(recording) ? word : 'none'
}

/** Counts unavailable agents as skipped, never as passed. */
function addSkipped(title: string, lacks: string): void {
  it(`${title} solves an exercise`, lacking(lacks), () => {})
}

/** Adds the run's line to the table, even if the checks fail. */
function noteRun({ episode, seconds }: AgentRun, [name = '', ...how]: string[]): string[] {
  const { subject, outcome, effort, usage } = episode
  const tokens = `${usage?.tokens.input}/${usage?.tokens.output}`
  const figures = [outcome.status, String(effort.steps), tokens, seconds.toFixed(1), '-', '-']
  const row = [name, subject.version ?? '', ...how, ...figures]
  table.push(row)
  return row
}

/** Checks that apply to every run of a scripted model, recorded or replayed. */
function checkRun(run: AgentRun): void {
  const { episode, row, code, stderr } = run
  expect([episode.outcome, code], stderr).toEqual([{ status: 'solved' }, 0])
  expect([episode.mode, row?.eligible, row?.label]).toEqual(['mock', false, 'scaffold'])
  expect(episode.prompt?.digest).toBe(promptDigest)
  expect(bench.leftovers(run)).toEqual([])
  expect(bench.leaks(run)).toEqual([])
}

/** Compares the envelope with the script: figures, tools, model. */
function checkMetering(run: AgentRun): void {
  const { effort, usage, subject } = run.episode
  const asides = callsOf(run) - script.turns.length
  expect(asides).toBeGreaterThanOrEqual(0)
  expect(usage?.tokens).toMatchObject(tokensOf(script, asides))
  expect(effort.steps).toBe(script.turns.length + asides)
  const [tool = ''] = Object.keys(effort.toolCalls ?? {})
  expect(toolNames(script)).toContain(tool)
  expect([effort.toolCalls, effort.firstTool]).toEqual([{ [tool]: 2 }, tool])
  expect(subject.modelObserved).toEqual(['scripted-1'])
}

function callsOf(run: AgentRun): number {
  const parsed = parseRecording(readEvidence(run, 'recording.json'))
  return parsed.ok ? parsed.value.calls.length : 0
}

function recordingOf({ episode }: AgentRun) {
  const found = episode.evidence.find(({ role }) => role === 'gateway-recording')
  return found?.digest ?? 'none was stored'
}
