import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseSubjectList } from '#lib/domain/runs/index.ts'
import { shippedProviders } from '#runner/providers/known-providers.ts'
import { loadAgents } from '#runner/subjects/agents/load-agents.ts'
import { findProvider, isSharedKey, listProviders } from '#runner/subjects/agents/providers.ts'
import { readCiWorkflow } from './read-workflows.ts'
import { expandLine, isProviderKey } from './workflow-rules.ts'

const takenSchema = z.object({
  inputs: z.record(z.string(), z.object({ required: z.boolean().default(false) }).loose()),
  secrets: z.record(z.string(), z.unknown()).default({}),
})

const benchmark = readCiWorkflow('benchmark')
const called = takenSchema.parse(benchmark.on.workflow_call)
const typed = takenSchema.parse(benchmark.on.workflow_dispatch)
const { benchmark: call } = readCiWorkflow('leaderboard').jobs

it('is called with inputs and secrets that it takes, the required ones among them', () => {
  const given = Object.keys(call?.with ?? {})
  expect(Object.keys(called.inputs)).toEqual(expect.arrayContaining(given))
  const required = Object.entries(called.inputs).filter(([, { required }]) => required)
  expect(given).toEqual(expect.arrayContaining(required.map(([name]) => name)))
  // Only this way a called workflow gets secrets of its environment; named ones would be empty.
  expect(call?.secrets).toBe('inherit')
  expect(Object.keys(called.secrets)).toContain('PROOFBOARD_TOKEN')
})

it('is called with everything that a listed subject may say, each under its own name', () => {
  const listed = parseSubjectList(parse(readFileSync('.github/subjects.yml', 'utf8')), 'week')
  const names = listed.ok ? Object.keys(listed.value[0] ?? {}).sort() : []
  expect(Object.keys(call?.with ?? {}).sort()).toEqual(names)
  for (const [name, value] of Object.entries(call?.with ?? {}))
    expect(value).toBe(`$\{{ matrix.entry.${name} }}`)
})

it('takes by hand nothing that a call cannot say, and uses every input', () => {
  expect(Object.keys(called.inputs)).toEqual(expect.arrayContaining(Object.keys(typed.inputs)))
  for (const name of Object.keys(called.inputs)) expect(benchmark.text).toContain(`inputs.${name}`)
})

it('gives a run the key of each provider that we know, and of the planned one alone', () => {
  const run = benchmark.jobs.shard?.steps.find(({ name }) => name === 'Run the shard')
  const keys = Object.entries(run?.env ?? {}).filter(([name]) => isProviderKey(name))
  expect(keys).toHaveLength(Object.keys(called.secrets).filter(isProviderKey).length)
  for (const [name, value] of keys)
    expect(value).toMatch(
      new RegExp(
        `^\\$\\{\\{ needs\\.plan\\.outputs\\.provider == '[a-z]+' && secrets\\.${name} \\|\\| '' \\}\\}$`,
      ),
    )
})

it('knows the first key of every provider that a shipped agent can use', () => {
  const known = shippedProviders()
  const keys = loadAgents().flatMap((agent) =>
    listProviders(agent, known).flatMap((name) => {
      const provider = findProvider(agent, name, known)
      return provider?.needsKey ? provider.keys.slice(0, 1) : []
    }),
  )
  // GitHub rejects secrets whose names begin with GITHUB_.
  const shared = [...new Set(keys)].filter((key) => isSharedKey(key) && !/^GITHUB_/.test(key))
  expect(Object.keys(called.secrets)).toEqual(expect.arrayContaining(shared))
})

it('is given the same keys as a shard that a server starts, under the same conditions', () => {
  const [work] = readCiWorkflow('launch').jobs.shard?.steps.slice(-1) ?? []
  const run = benchmark.jobs.shard?.steps.find(({ name }) => name === 'Run the shard')
  const keysOf = (env: object = {}, provider: string) =>
    Object.entries(env).flatMap(([name, value]) =>
      isProviderKey(name) ? [[name, String(value).replace(provider, 'PROVIDER')]] : [],
    )
  const keys = keysOf(work?.env, 'fromJSON(inputs.manifest).provider')
  expect(keys).toEqual(keysOf(run?.env, 'needs.plan.outputs.provider'))
  expect(keys.length).toBeGreaterThan(10)
})

it('takes from the manifest of a launch its title, shards and command', () => {
  const launch = readCiWorkflow('launch')
  const { shard } = launch.jobs
  const of = (name: string) => `$\{{ fromJSON(inputs.manifest).${name} }}`
  expect(launch.text).toContain(`\nrun-name: launch ${of('name')}\n`)
  expect(shard?.strategy?.matrix.shard).toBe(of('shards'))
  expect(launch.text).toContain(`max-parallel: ${of('parallelism')}\n`)
  const [work] = shard?.steps.slice(-1) ?? []
  expect(work?.env).toMatchObject({ SERVER: of('url'), RUN_ID: of('runId') })
  const filled = { SERVER: 'https://board.example', RUN_ID: 'run_abcd1234', SHARD: '2' }
  expect(expandLine(work?.run ?? '', filled)).toEqual([
    ...['proofboard', 'work', '--server=https://board.example', '--run-id=run_abcd1234'],
    ...['--shard=2', '--out', 'run'],
  ])
})
