import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseBundle } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { loadOneTask } from '#lib/testing/factories/fake-agent.ts'
import { lastJson } from '#lib/testing/factories/proofboard-command.ts'
import { startSkilledModel, writeSkilledAgent } from '#lib/testing/factories/skilled-model.ts'

const SKILL = 'Always write the whole solution in one go, and read the tests first.'
const SECRET = 'arm-secret-5f1c9a77'
const TASKS = ['lru-cache']
const closing: (() => Promise<void>)[] = []
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-arms-'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(root, { recursive: true, force: true })
})

const here = (...args: string[]) =>
  proofboardHere(join(root, 'data'), args, { NOTES_ACCESS: SECRET })

function write(name: string, text: string): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

/** Arguments of `plan` and `run` for a model that solves a task exactly if its prompt contains the skill. */
async function asking(more: readonly string[]): Promise<string[]> {
  const tasks = await Promise.all(TASKS.map(loadOneTask))
  const model = await startSkilledModel(tasks, SKILL, ({ isSkilled }) => isSkilled)
  closing.push(model.close)
  const providers = write(
    'providers.yaml',
    `schemaVersion: 1
providers:
  acme:
    keys: []
    price: { input: 2, output: 10 }
    protocols: { anthropic: { baseUrl: ${model.url} } }
`,
  )
  return [
    ...['--suite', 'typescript', '--tasks', TASKS.join(), '--agent-file', writeSkilledAgent(root)],
    ...['--provider', 'acme', '--provider-file', providers, '--model', 'm-1', ...more],
  ]
}

describe('a run with arms', () => {
  it('runs them interleaved, puts each into the workspace alone, and says what it did and whether it was used', async () => {
    mkdirSync(join(root, 'skill'))
    write('skill/AGENTS.md', `# Rules\n\n${SKILL}\n`)
    const server = '#!/bin/sh\necho "asked with $TOKEN"\n'
    const arms = write(
      'arms.yaml',
      `arms:
  - name: rules
    files: skill
  - name: server
    files: { tools/server.sh: { text: ${JSON.stringify(server)}, executable: true } }
    mcpServers: { notes: { command: "\${workspace}/tools/server.sh", env: { TOKEN: NOTES_ACCESS } } }
`,
    )
    const out = join(root, 'out')
    const args = await asking(['--arms', arms, '--out', out, '--json'])
    const { code, stdout, stderr } = await here('run', ...args)
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const text = readFileSync(join(out, 'result.json'), 'utf8')
    const parsed = parseBundle(JSON.parse(text))
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    const { plan, episodes } = parsed.value
    expect(plan.arms?.map(({ name }) => name)).toEqual(['baseline', 'rules', 'server'])

    // Each block of three repetitions contains every arm once, in its own order.
    const told = episodes.map(({ subject, taskId, outcome, activation }) => {
      const { offered = '-', used = '-' } = activation ?? {}
      return `${taskId} ${subject.arm} ${outcome.status} ${offered} ${used}`
    })
    expect(told.sort()).toEqual(
      TASKS.toSorted().flatMap((taskId) => [
        `${taskId} baseline unsolved - -`,
        `${taskId} rules solved true true`,
        `${taskId} server unsolved true true`,
      ]),
    )
    const armed = episodes.find(({ subject }) => subject.arm === 'server')
    expect(armed?.activation?.parts).toEqual([
      { kind: 'file', name: 'tools/server.sh', offered: false, used: false },
      { kind: 'mcp', name: 'notes', offered: true, used: true },
    ])
    expect(armed?.effort.toolCalls).toEqual({ mcp__notes__ask: 1 })

    // The overlay is not the agent's work, and no evidence contains the value of the variable.
    const rules = episodes.find(({ subject }) => subject.arm === 'rules')
    const folder = join(out, 'episodes', `${rules?.taskId}`, `r${rules?.repetition}-a1`)
    expect(readFileSync(join(folder, 'workspace.diff'), 'utf8')).not.toContain('AGENTS.md')
    expect(rules?.integrity.protectedFilesTouched).toEqual([])
    expect(text + stdout + stderr).not.toContain(SECRET)

    const { arms: effects, rows } = lastJson(stdout) as {
      arms: { effects: { arm: string; sentence: string; activation: string }[] }
      rows: { subject: { arm: string }; plannedEpisodes: number }[]
    }
    expect(
      rows.map(({ subject, plannedEpisodes }) => [subject.arm, plannedEpisodes]).sort(),
    ).toEqual([
      ['baseline', 1],
      ['rules', 1],
      ['server', 1],
    ])
    expect(effects.effects.map(({ arm }) => arm).sort()).toEqual(['rules', 'server'])
    const effect = effects.effects.find(({ arm }) => arm === 'rules')
    expect(effect?.sentence).toMatch(
      /^Undecided: rules \(1 file: AGENTS\.md\) may be up to 100 points better/,
    )
    expect(effect?.activation).toContain('in 1 of 1 attempt')
  })

  it('is frozen once, continued, sharded by blocks, and explained before it starts', {
    tags: 'night',
  }, async () => {
    write('AGENTS.md', SKILL)
    const plan = join(root, 'plan.json')
    const args = await asking(['--arm', join(root, 'AGENTS.md'), '--repetitions', '2'])
    const frozen = await here('plan', ...args, '--explain', '--out', plan)
    expect(frozen.stdout).toContain('4 episodes (1 task × 2 × 2 arms)')
    const files = args.slice(4, 6).concat(args.slice(8, 10))
    const run = (shard: string, out: string) =>
      here('run', '--plan', plan, ...files, '--shard', shard, '--out', join(root, out), '--json')
    const first = await run('1/2', 'one')
    expect(lastJson(first.stdout)).toMatchObject({ planned: 2, solved: 1, unsolved: 1 })
    expect(lastJson((await run('1/2', 'one')).stdout)).toMatchObject({ planned: 2, sealed: 2 })
  })
})

const SKILL_TEXT = `---
name: write-whole
description: Use when solving an exercise.
---
# Write it whole

${SKILL}
`

function writeSkill(): string {
  const folder = join(root, 'My Skill')
  mkdirSync(join(folder, 'evals'), { recursive: true })
  write('My Skill/SKILL.md', SKILL_TEXT)
  write('My Skill/notes.md', 'Notes.')
  write('My Skill/evals/evals.json', '{"evals":[]}')
  return folder
}

describe('a skill', () => {
  it('is read by an agent that knows no skills, and its effect is the first line', async () => {
    const args = await asking([])
    const { code, stdout, stderr } = await here(
      ...['skill', writeSkill(), '--model', 'm-1', ...args.slice(2, 10)],
      ...['--suite', 'typescript', '--repetitions', '1', '--out', join(root, 'out')],
    )
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(stdout.split('\n')[0]).toMatch(
      /Undecided: write-whole \(.*\) may be up to 100 points better/,
    )
    const plan = JSON.parse(readFileSync(join(root, 'out', 'plan.json'), 'utf8'))
    expect(plan.settings).toMatchObject({ maxSteps: 60, temperature: 'provider-fixed' })
    const files = plan.arms[1].files as { path: string; text: string }[]
    expect(files.map(({ path }) => path)).toEqual([
      '.agents/skills/write-whole/notes.md',
      'AGENTS.md',
    ])
    expect(files[1]?.text).toContain(SKILL)
    expect(files[1]?.text).not.toContain('description')
  })

  it('goes where the agent looks for skills, without its evals', async () => {
    const agent = writeSkilledAgent(root, { skills: '.skilled/skills' })
    const arms = write('arms.yaml', 'arms: [{ name: x, skill: My Skill }]')
    writeSkill()
    const { code, stderr } = await here(
      ...['plan', '--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', agent],
      ...['--provider', 'scripted', '--model', 'm-1', '--arms', arms],
      ...['--out', join(root, 'plan.json')],
    )
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const { arms: frozen } = JSON.parse(readFileSync(join(root, 'plan.json'), 'utf8'))
    expect(frozen[1].files.map(({ path }: { path: string }) => path)).toEqual([
      '.skilled/skills/write-whole/SKILL.md',
      '.skilled/skills/write-whole/notes.md',
    ])
  })

  it('may begin with a byte order mark, and have a longer name than an arm', async () => {
    const name = 'a-skill-whose-name-is-longer-than-that-of-any-arm'
    mkdirSync(join(root, 'long'))
    write('long/SKILL.md', `\uFEFF---\r\nname: ${name}\r\ndescription: d\r\n---\r\n${SKILL}\r\n`)
    const { code, stderr } = await here(
      ...['plan', '--suite', 'typescript', '--tasks', 'lru-cache', '--model', 'm-1'],
      ...['--agent-file', writeSkilledAgent(root, { skills: '.x' }), '--provider', 'scripted'],
      ...['--arm', join(root, 'long'), '--out', join(root, 'plan.json')],
    )
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const { arms } = JSON.parse(readFileSync(join(root, 'plan.json'), 'utf8'))
    expect(arms[1].name).toBe(name.slice(0, 40))
    expect(arms[1].files[0].path).toBe(`.x/${name}/SKILL.md`)
  })

  it.each([
    ['no SKILL.md', 'notes.md', 'x', /has no SKILL\.md, so it is not a skill/],
    ['no frontmatter', 'SKILL.md', '# Only text', /does not begin with name and description/],
    ['no description', 'SKILL.md', '---\nname: x\n---\n', /SKILL\.md.*description/],
    ['a path for a name', 'SKILL.md', '---\nname: ../x\ndescription: d\n---\n', /name/],
  ])('is refused with %s, in one sentence', async (_, file, text, words) => {
    mkdirSync(join(root, 'odd'))
    write(`odd/${file}`, text)
    const agent = writeSkilledAgent(root)
    const { code, stderr } = await here(
      ...['skill', join(root, 'odd'), '--agent-file', agent],
      ...['--provider', 'scripted', '--model', 'm-1'],
    )
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })
})

const REFERENCE = readFileSync('exercises/typescript/lru-cache/.meta/reference.ts', 'utf8')
const ARM = (about: string) => `arms: [{ name: x, ${about} }]`

describe('arms that cannot be', () => {
  it.each([
    [
      'a path for a name',
      'arms: [{ name: ../x }]',
      /arms\.0\.name: expected at most 40 lower-case letters/,
    ],
    [
      'two of one name',
      'arms: [{ name: x }, { name: x, promptPrefix: a }]',
      /two arms are named "x"/,
    ],
    ['nothing in it', 'arms: [{ name: x }]', /"baseline", "x"|"baseline" and "x".* same content/],
    [
      'one content twice',
      'arms: [{ name: x, promptPrefix: a }, { name: y, promptPrefix: a }]',
      /the arms "x" and "y" put in the same content/,
    ],
    [
      'a baseline that is not empty',
      'arms: [{ name: x, promptPrefix: a }, { name: baseline, settings: { maxSteps: 1 } }]',
      /arm "baseline": it must be empty/,
    ],
    [
      'the reference under another name',
      ARM(`files: { NOTES.md: { text: ${JSON.stringify(REFERENCE)} } }`),
      /arm "x": the file NOTES\.md contains the reference solution of lru-cache/,
    ],
    [
      'a test in the overlay',
      ARM('files: { lru-cache.test.ts: { text: "" } }'),
      /arm "x": it may not put in lru-cache\.test\.ts of lru-cache, which is a test/,
    ],
    [
      'a solution in the overlay',
      ARM('files: { lru-cache.ts: { text: "" } }'),
      /lru-cache\.ts of lru-cache, which is a solution file/,
    ],
    [
      'a file that steers',
      ARM('files: { package.json: { text: "" } }'),
      /package\.json, which steers/,
    ],
    ['a way out', ARM('files: { ../../x: { text: "" } }'), /does not stay inside the workspace/],
    ['no such folder', ARM('files: nowhere'), /arm "x": there is no folder/],
    ['an unknown version', ARM('agentVersion: 9.9.9'), /9\.9\.9/],
    [
      'an unknown program',
      ARM('mcpServers: { db: { command: no-such-program } }'),
      /arm "x": the MCP server "db" starts no-such-program, which is not on this machine/,
    ],
    [
      'a value in place of a variable',
      ARM('mcpServers: { db: { command: sh, env: { A: "s3cret-value" } } }'),
      /name of an environment variable/,
    ],
    ['an unknown setting', ARM('settings: { isolation: local }'), /isolation/],
  ])('%s', async (_, text, words) => {
    const agent = writeSkilledAgent(root)
    const { code, stderr } = await here(
      ...['plan', '--suite', 'typescript', '--tasks', 'lru-cache', '--agent-file', agent],
      ...['--provider', 'scripted', '--model', 'm-1', '--arms', write('arms.yaml', text)],
      ...['--out', join(root, 'plan.json')],
    )
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })

  it('says where arms mean nothing', async () => {
    const arm = ['--arm', write('AGENTS.md', SKILL)]
    const control = await here('plan', '--suite', 'typescript', '--subject', 'nop', ...arm)
    expect(control.stderr).toMatch(/arms need an agent/)
    const library = await here('plan', '--suite', 'browser', '--subject', 'cdp', ...arm)
    expect(library.stderr).toMatch(/--arm requires an agent on an exercise suite/)
  })
})
