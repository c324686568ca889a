import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { lastJson, readMeasuredBundle } from '#lib/testing/factories/proofboard-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-init-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const proofboard = (...args: string[]) => proofboardHere(join(folder, 'data'), args)
function place(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

describe('proofboard init', () => {
  it('writes an exercise that passes its proof, and that runs as it is', {
    tags: 'night',
  }, async () => {
    const shop = place('my shop')
    writeFileSync(join(shop, '.gitignore'), 'node_modules')
    const made = await proofboard(
      'init',
      shop,
      '--agent',
      'reference',
      '--kind',
      'exercise',
      '--yes',
    )
    expect(made.code, made.stderr).toBe(0)
    expect(made.stdout).toMatch(
      /wrote proofboard\.yaml[\s\S]*next:\n {2}cd '.*my shop'\n {2}npx proofboard run/,
    )
    expect(readdirSync(shop).sort()).toEqual(['.gitignore', 'proofboard-tasks', 'proofboard.yaml'])
    expect(readFileSync(join(shop, '.gitignore'), 'utf8')).toBe('node_modules\n.proofboard/\n')
    const proven = await proofboard('suite', 'verify', join(shop, 'proofboard-tasks'), '--json')
    expect(proven.code, proven.stderr).toBe(0)
    expect(lastJson(proven.stdout)).toMatchObject({
      tasks: 1,
      referenceSolved: 1,
      nopSolved: 0,
      wrongSolved: 0,
    })
    const out = join(folder, 'run')
    const run = await proofboard('run', '--config', join(shop, 'proofboard.yaml'), '--out', out)
    expect(run.code, run.stderr).toBe(0)
    const { plan, episodes } = readMeasuredBundle(join(out, 'result.json'))
    expect([plan.suiteId, plan.repetitions]).toEqual(['my-shop-tasks', 3])
    expect(episodes.map(({ outcome }) => outcome.status)).toEqual(['solved', 'solved', 'solved'])
  })

  it('names the agent and its model, and says what is left to do', async () => {
    const made = await proofboard('init', place('agent'), '--yes', '--no-prove', '--json')
    expect(lastJson(made.stdout)).toMatchObject({
      next: expect.arrayContaining([
        'npx proofboard suite verify proofboard-tasks',
        'npx proofboard run   # reads proofboard.yaml',
      ]),
    })
    const text = readFileSync(join(folder, 'agent', 'proofboard.yaml'), 'utf8')
    expect(text).toMatch(/subject: claude\n {4}model: claude-sonnet-5/)
  })

  it('never writes over anything, and leaves nothing behind when it refuses', async () => {
    const there = place('there')
    mkdirSync(join(there, 'proofboard-tasks'))
    const { code, stderr } = await proofboard('init', there, '--yes')
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/proofboard-tasks already exists: nothing was written\n$/),
    ])
    expect(readdirSync(there)).toEqual(['proofboard-tasks'])
  })

  it.each([
    ['an agent that is none', ['--agent', 'clade'], /unknown agent "clade": did you mean claude/],
    [
      'a suite that is none',
      ['--tasks', 'typscript'],
      /unknown suite "typscript": did you mean typescript/,
    ],
    ['an unnamed model', ['--agent', 'codex'], /codex needs a model: name it with --model/],
    [
      'a kind of example beside a suite that is here',
      ['--kind', 'exercise', '--tasks', 'typescript'],
      /--kind says which example is written: remove it or --tasks/,
    ],
  ])('refuses %s in one sentence', async (_, args, sentence) => {
    const { code, stderr } = await proofboard('init', join(folder, 'nowhere'), '--yes', ...args)
    expect([code, stderr.trim()]).toEqual([2, expect.stringMatching(sentence)])
    expect(existsSync(join(folder, 'nowhere'))).toBe(false)
  })
})

describe('proofboard init in a repository', { timeout: 300_000 }, () => {
  it('starts an empty folder with a repository of its own, and leads from there to a comparison', {
    tags: 'night',
  }, async () => {
    const shop = place('empty')
    const made = await proofboard('init', shop, '--agent', 'nop', '--yes')
    expect(made.code, made.stderr).toBe(0)
    expect(made.stderr).toMatch(/a small separate repository, because this folder is not in a git/)
    expect(made.stdout).not.toMatch(/suite verify/)
    const config = ['--config', join(shop, 'proofboard.yaml'), '--repetitions', '1']
    const [base, head] = [join(shop, 'base'), join(shop, 'head')]
    expect((await proofboard('run', ...config, '--out', base)).code).toBe(0)
    const other = ['--subject', 'reference', '--out', head]
    expect((await proofboard('run', ...config, ...other)).stdout).toContain('1 of 1 solved')
    const { code, stdout } = await proofboard('compare', base, head)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/title-slug +0 of 1 +1 of 1/)])
  })

  it('says what to correct where the set-up fails, and keeps what it wrote', async () => {
    const history = new GitHistory(join(folder, 'broken'))
    history.commit('one', {
      'package.json': '{"devDependencies":{"vitest":"file:./missing"}}',
      'package-lock.json': '{}',
    })
    const made = await proofboard('init', history.root, '--agent', 'reference', '--yes')
    expect(made.code).toBe(1)
    expect(made.stderr.trim().split('\n').at(-1)).toMatch(
      /^title-slug is not proven yet: task title-slug: the setup command "npm ci .*" exited with 1, .*; correct proofboard-tasks\/title-slug\/task\.yaml \(setup, verify\), then prove it$/,
    )
    expect(made.stdout).toMatch(/next:[\s\S]*suite verify proofboard-tasks[\s\S]*proofboard run/)
  })
})

describe('proofboard.yaml', () => {
  const tasks = 'suite: typescript\nsubjects: [{ subject: nop }]\n'
  it.each([
    ['an unknown field', `schemaVersion: 1\nsubjets: []\n${tasks}`, /line 2: .*subjets/],
    [
      'a setting that is none',
      `schemaVersion: 1\nsettings: { max-step: 3 }\n${tasks}`,
      /settings\.max-step: is not a setting/,
    ],
    [
      'a value that is none',
      `schemaVersion: 1\nsettings: { max-steps: many }\n${tasks}`,
      /settings\.max-steps: must be/,
    ],
    [
      'two subjects in one',
      'schemaVersion: 1\nsuite: typescript\nsubjects: [{ subject: nop, command: ls }]\n',
      /exactly one of subject, command/,
    ],
    ['broken YAML', 'schemaVersion: [1\n', /is not valid YAML/],
  ])('is refused in one sentence: %s', async (_, text, sentence) => {
    const file = join(folder, 'broken.yaml')
    writeFileSync(file, text)
    const { code, stderr } = await proofboard('run', '--config', file)
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringMatching(sentence)]])
  })

  it('measures several subjects into folders of their own, on the tasks of another file', async () => {
    const { code } = await proofboard(
      'init',
      place('two'),
      '--agent',
      'reference',
      '--kind',
      'exercise',
      '--no-prove',
      '--yes',
    )
    expect(code).toBe(0)
    // Model limits do not apply to controls.
    appendFileSync(
      join(folder, 'two', 'proofboard.yaml'),
      'settings: { max-steps: 50, timeout: 60 }\n',
    )
    const other = join(folder, 'subjects.yaml')
    writeFileSync(
      other,
      'schemaVersion: 1\nsuite: typescript\nsubjects: [{ subject: nop }, { subject: reference }]\n',
    )
    const out = join(folder, 'both')
    const options = ['--tasks-of', join(folder, 'two', 'proofboard.yaml'), '--repetitions', '1']
    const run = await proofboard('run', '--config', other, ...options, '--out', out)
    expect(run.code, run.stderr).toBe(0)
    expect(readdirSync(out)).toEqual(['1-nop', '2-reference'])
    const { plan, episodes } = readMeasuredBundle(join(out, '1-nop', 'result.json'))
    expect([plan.suiteId, episodes.length]).toEqual(['two-tasks', 1])
    expect(plan.settings).toMatchObject({ maxSteps: null, timeoutMs: 60_000 })
  })
})
