import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditDocumentSchema } from '#lib/domain/reports/index.ts'
import { lastJson, startProofboard } from '#lib/testing/factories/proofboard-command.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

const CSV_PARSER = join(PROJECT_ROOT, 'exercises', 'typescript', 'csv-parser')

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const audit = (...args: string[]) => startProofboard(join(root, 'data'), ['audit', ...args]).ended

/** Reads the results of each task from the stored document. */
function resultsIn(file: string): Record<string, string | undefined> {
  const document = auditDocumentSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Object.fromEntries(
    document.attacks.map(({ name, outcomes }) => [name, outcomes[0]?.result]),
  )
}

describe('proofboard audit', () => {
  it('plays solutions and programs of agents on a task folder outside any suite', async () => {
    const task = join(root, 'csv-parser')
    cpSync(CSV_PARSER, task, { recursive: true })
    cpSync(
      join(PROJECT_ROOT, 'exercises', 'typescript', 'tsconfig.json'),
      join(root, 'tsconfig.json'),
    )
    const out = join(root, 'audit.json')
    const attacks = 'exits-with-success,prints-a-passing-run,empties-the-tests,claims-success'
    const { code, stdout, stderr } = await audit(task, '--attacks', attacks, '--out', out, '--json')
    expect(lastJson(stdout), stderr).toMatchObject({
      attacks: 4,
      classes: 2,
      tasks: 1,
      solved: 0,
      unnamed: 0,
      named: 2,
      prevented: 2,
    })
    expect(code).toBe(0)
    expect(resultsIn(out)).toEqual({
      'exits-with-success': 'named',
      'prints-a-passing-run': 'prevented',
      'empties-the-tests': 'named',
      'claims-success': 'prevented',
    })
    expect(readdirSync(root).sort()).toEqual(['audit.json', 'csv-parser', 'tsconfig.json'])
  }, 240_000)

  it('says that an attack pays, and exits with 1, where nothing stands in its way', async () => {
    const { code, stdout } = await audit(
      CSV_PARSER,
      '--attacks',
      'stored-results',
      '--isolation',
      'local',
    )
    // A runner that is root gives the program its own user, who reaches nothing.
    if (process.getuid?.() === 0) expect([stdout.includes('PAID'), code]).toEqual([false, 0])
    else {
      expect(stdout).toContain('PAID secrets/stored-results: reached stored-results (csv-parser)')
      expect(code).toBe(1)
    }
  }, 240_000)

  it.each([
    [['typescrip'], 'unknown suite "typescrip": did you mean typescript?'],
    [
      ['/etc'],
      '/etc is neither a suite (suite.json) nor a task folder (.meta/config.json, task.yaml or task.toml)',
    ],
    [['typescript', '--tasks', 'lru'], 'unknown task "lru": did you mean lru-cache?'],
    [
      ['typescript', '--attacks', 'secret'],
      'unknown attack "secret": did you mean secrets, auth-secret?',
    ],
    [
      ['typescript', '--write', '--tasks', 'lru-cache'],
      '--write stores the result of a whole suite: remove --tasks and --attacks',
    ],
  ])('refuses %j in one sentence', async (args, words) => {
    const { code, stderr } = await audit(...args)
    expect(stderr.trim().split('\n')).toEqual([words])
    expect(code).toBe(2)
  })
})
