import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planSchema } from '#lib/domain/record/index.ts'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { samplePlan } from '#lib/testing/factories/samples.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofboard-outputs-'))
  temporarySuite(folder, 'small', ['lru-cache'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = (name: string) => join(folder, name)
const proofboard = (...args: string[]) => proofboardHere(folder, args)

/** Writes a file into the test's folder. */
function keep(name: string, text: string): string {
  writeFileSync(place(name), text)
  return place(name)
}

const outputs = (stdout: string) =>
  Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )

describe('proofboard shards', () => {
  const plan = () => keep('plan.json', JSON.stringify(samplePlan()))

  it('cuts no finer than the plan has episodes, and shares a cap without going above it', async () => {
    const { code, stdout } = await proofboard('shards', plan(), '--count', '3', '--spend-cap', '1')
    expect(code).toBe(0)
    expect(outputs(stdout)).toEqual({
      shards: '[1,2,3]',
      count: '3',
      episodes: '4',
      'run-id': expect.stringMatching(/^run_[0-9a-z]{8,40}$/),
      'plan-digest': samplePlan().planDigest,
      kind: 'exercise',
      provider: '',
      'spend-cap': '0.333333',
    })
    const many = await proofboard('shards', plan(), '--count', '256')
    expect(outputs(many.stdout)).toMatchObject({ shards: '[1,2,3,4]', 'spend-cap': '' })
  })

  it('refuses more shards than a matrix takes, and what is not a plan', async () => {
    const many = await proofboard('shards', plan(), '--count', '257')
    expect([many.code, many.stderr.trim()]).toEqual([
      2,
      '--count must be a whole number from 1 to 256, not "257"',
    ])
    const none = await proofboard('shards', keep('none.json', '{}'))
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('is not a plan')])
  })
})

describe('proofboard plan --pins', () => {
  const args = ['plan', '--suite', 'small', '--subject', 'reference', '--out']

  it('is each option by its own name', async () => {
    const out = place('pinned.json')
    expect((await proofboard(...args, out, '--pins', 'timeout=77, seed=5')).code).toBe(0)
    const { settings } = planSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
    expect(settings).toMatchObject({ timeoutMs: 77_000, seed: 5 })
  })

  it.each([
    ['colour=red', /with the names max-steps, .*, not "colour=red"$/],
    ['seed', /not "seed"$/],
    ['seed=1,seed=2', /^--pins contains seed twice$/],
    ['timeout=x', /^--timeout must be a whole number from 1 to 86,400, not "x"$/],
    ['max-steps=5', /"reference" does not call a model through the gateway, so --max-steps cannot/],
    ['out=/etc/passwd', /with the names/],
  ])('refuses %s in one sentence', async (pins, sentence) => {
    const { code, stderr } = await proofboard(...args, place('no.json'), '--pins', pins)
    expect([code, stderr.trim()]).toEqual([2, expect.stringMatching(sentence)])
  })
})

describe('proofboard subjects', () => {
  it('reads the list of this repository', async () => {
    const { code, stdout } = await proofboard('subjects', '.github/subjects.yml', '--every', 'day')
    expect(code).toBe(0)
    const { subjects = '[]', count } = outputs(stdout)
    const names = (JSON.parse(subjects) as { subject: string }[]).map(({ subject }) => subject)
    expect([names, count]).toEqual([['reference', 'nop'], '2'])
  })

  it('refuses what is not a list, no YAML, or grows when it is read', async () => {
    const bomb = `a: &a [x, x]\nb: &b [*a, *a]\nsubjects: [*b, *b]\n`
    for (const [text, sentence] of [
      ['subjects: []', /is not a list of subjects: schemaVersion: .*; subjects: /],
      ['subjects: [', /is not valid YAML/],
      [bomb, /is not valid YAML: Alias resolution is disabled/],
    ] as const) {
      const { code, stderr, stdout } = await proofboard('subjects', keep('list.yml', text))
      expect([code, stderr, stdout]).toEqual([2, expect.stringMatching(sentence), ''])
    }
  })
})

describe('the subject on a new machine', () => {
  it('is here already where it is a control or a library', async () => {
    for (const name of ['reference', 'playwright']) {
      const { code, stdout } = await proofboard('agents', 'install', name)
      expect([code, stdout]).toEqual([0, `${name} is included in Proofboard: nothing to install\n`])
    }
  })

  it('is refused by name when it is unknown, or when npm has none', async () => {
    const unknown = await proofboard('agents', 'install', 'clade')
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('claude')])
    const noPackage = await proofboard('agents', 'install', 'goose')
    expect([noPackage.code, noPackage.stderr]).toEqual([
      1,
      expect.stringMatching(/^goose could not be installed: it is not an npm package\. By hand: /),
    ])
  })
})

describe('proofboard browser', () => {
  it('says what to do where a path leads to no program', async () => {
    const { code, stderr } = await proofboardHere(folder, ['browser'], {
      PROOFBOARD_CHROMIUM: '/nowhere/chromium',
    })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('/nowhere/chromium is not an executable program'),
    ])
  })
})

describe('proofboard summary', () => {
  it('refuses what is not a result and prints nothing', async () => {
    const { code, stdout, stderr } = await proofboard('summary', keep('bad.json', '{"kind":1}'))
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringContaining('is not a complete result'),
    ])
  })
})
