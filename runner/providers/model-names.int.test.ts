import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { ASKS_ONCE, writeFakeAgent } from '#lib/testing/factories/fake-agent.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { startModelServer } from '../gateway/model-server.ts'

/** Set before the runner's modules read the environment, and removed at once. */
vi.hoisted(() => {
  process.env.ACME_NAMES_API_KEY = 'acme-names-0123456789'
})

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-names-'))
  chmodSync(root, 0o755) // at `local` agents are another user
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const here = (...args: string[]) => proofboardHere(join(root, 'data'), args)
const TASK = ['--suite', 'typescript', '--tasks', 'lru-cache']

function provider(baseUrl: string, names: string): string[] {
  const path = join(root, 'providers.yaml')
  const entry = `acme:\n    keys: [ACME_NAMES_API_KEY]\n    protocols: { anthropic: { baseUrl: "${baseUrl}" } }\n    ${names}`
  writeFileSync(path, `schemaVersion: 1\nproviders:\n  ${entry}\n`)
  return ['--provider', 'acme', '--provider-file', path]
}

function agent(changes: Record<string, unknown> = {}): string[] {
  const folder = join(root, 'agent')
  mkdirSync(folder, { recursive: true })
  return ['--agent-file', writeFakeAgent(folder, ASKS_ONCE, changes)]
}

/** Runs one attempt in which a deployment responds under the name of its model. */
async function run(names: string) {
  const script = { turns: [{ say: 'hello' }], model: 'acme-large-2026-03-05' }
  const server = await startModelServer(script, { key: null, port: 0 })
  const out = join(root, 'out')
  const model = ['--model', 'team-large', '--price', '3/15', '--out', out, '--json']
  const { stdout } = await here(
    'run',
    ...TASK,
    ...agent(),
    ...provider(server.url, names),
    ...model,
  )
  await server.close()
  const { rows } = lastJson(stdout) as { rows: { reasons: { code: string }[] }[] }
  const parsed = parseBundle(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')))
  const codes = rows.flatMap(({ reasons }) => reasons.map(({ code }) => code))
  return { codes, episode: parsed.ok ? parsed.value.episodes[0] : undefined }
}

describe('names of models that a file declares', () => {
  it('are frozen into the plan, the provider’s with the agent’s', async () => {
    const names = 'aliases: { team-large: acme-large-2026-03-05 }'
    const files = [...agent({ secondary: ['acme-mini'] }), ...provider('http://127.0.0.1:9', names)]
    const out = ['--out', join(root, 'plan.json')]
    const { stderr, code } = await here('plan', ...TASK, ...files, '--model', 'team-large', ...out)
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(JSON.parse(readFileSync(join(root, 'plan.json'), 'utf8'))).toMatchObject({
      subject: {
        modelRequested: 'team-large',
        aliases: ['acme-large-2026-03-05'],
        secondary: ['acme-mini'],
      },
    })
  })

  it('let a deployment answer in the name of its model, and the episode says who answered', async () => {
    const { codes, episode } = await run('aliases: { team-large: acme-large-2026-03-05 }')
    expect(codes).not.toContain('model-observed')
    expect(episode).toMatchObject({
      subject: { modelObserved: ['acme-large-2026-03-05'] },
      usage: {
        models: [{ model: 'acme-large-2026-03-05', asked: ['scripted-1'], calls: 1 }],
        temperatures: [null],
      },
    })
  })

  it('are needed for that', async () => {
    expect((await run('needsKey: false')).codes).toContain('model-observed')
  })

  it.each([
    ['alias: { a: b }', /providers.acme: Unrecognized key: "alias"$/],
    ['aliases: { a: [] }', /providers.acme.aliases.a: expected the name of a model, or a list/],
    ['aliases: { "a b": c }', /providers.acme.aliases.*: expected the name of a model/],
    ['secondary: a', /providers.acme.secondary: /],
    ['secondary: [""]', /providers.acme.secondary.0: expected the name of a model/],
  ])(
    'are refused in one sentence where they are none, and nothing is written: %s',
    async (names, why) => {
      const out = join(root, 'out')
      const args = [...TASK, ...agent(), ...provider('http://127.0.0.1:9', names), '--model', 'm']
      const { stderr, code } = await here('run', ...args, '--out', out)
      expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringMatching(why)])
      expect(existsSync(out)).toBe(false)
    },
  )
})
