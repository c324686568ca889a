import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { proofboardHere } from '#lib/testing/factories/command-here.ts'
import { GitHistory } from '#lib/testing/factories/git-history.ts'
import { lastJson, readMeasuredBundle } from '#lib/testing/factories/proofboard-command.ts'

/** A repository with its own test runner, and the expected result of `init`. */
type OwnRepositoryCase = {
  runner: string
  /** Subfolder where `init` is called; absent = the repository's root. */
  below?: string
  files: Record<string, string>
  command: RegExp
  solution: string
}

/**
 * Expects that `init` writes a proven task, that a commit which contains it proves again, and that arms can be measured
 * on it.
 */
export async function expectInit(folder: string, one: OwnRepositoryCase): Promise<void> {
  const proofboard = (...args: string[]) => proofboardHere(join(folder, 'data'), args)
  const { runner, files, command, solution, below = '.' } = one
  const history = new GitHistory(join(folder, `own ${runner.split(/\W/)[0]}`))
  const commit = history.commit('one', files)
  const shop = join(history.root, below)
  const made = await proofboard('init', shop, '--agent', 'reference', '--yes', '--json')
  expect(lastJson(made.stdout), made.stderr).toMatchObject({ notes: [], problem: null })
  const text = readFileSync(join(shop, 'proofboard-tasks/title-slug/task.yaml'), 'utf8')
  const task = parse(text) as { source: unknown; verify: { command: string } }
  const up = below === '.' ? '../..' : '../../../..'
  expect(task.source).toEqual({ git: up, commit })
  expect(task.verify.command).toMatch(command)
  // Committed files of the suite must not show the answers to an agent.
  const later = history.commit('tasks', {})
  writeFileSync(join(shop, 'proofboard-tasks/title-slug/task.yaml'), text.replace(commit, later))
  const proven = await proofboard('suite', 'verify', join(shop, 'proofboard-tasks'))
  expect(proven.code, proven.stderr).toBe(0)
  const { out, run } = await measureArms(proofboard, shop, solution)
  expect(run.stdout).toMatch(/skilled/)
  const { episodes } = readMeasuredBundle(join(out, 'result.json'))
  const ended = episodes.map(({ subject, outcome }) => `${subject.arm} ${outcome.status}`)
  expect(ended.sort()).toEqual(['baseline unsolved', 'skilled solved'])
  const base = readFileSync(join(out, 'plan.json'), 'utf8')
  expect(base).not.toContain(history.root)
}

/** A project with an agent that writes the solution to the path that the repository's rules name. */
const COMMAND =
  'test -f SKILL.md && mkdir -p "$(dirname "$(cat SKILL.md)")" && cp GIVEN.txt "$(cat SKILL.md)" || true'

type Proofboard = (...args: string[]) => ReturnType<typeof proofboardHere>

async function measureArms(proofboard: Proofboard, shop: string, solution: string) {
  const file = join(shop, 'proofboard.yaml')
  const files = {
    'SKILL.md': { text: solution },
    'GIVEN.txt': `proofboard-tasks/title-slug/solution/${solution}`,
  }
  const arms = JSON.stringify([{ name: 'skilled', files }])
  const subject = JSON.stringify({ command: COMMAND, name: 'copier', 'subject-version': '1.0.0' })
  const text = readFileSync(file, 'utf8').replace(
    /\nsubjects:[\s\S]*$/,
    `\nsubjects: [${subject}]\narms: ${arms}\n`,
  )
  writeFileSync(file, text)
  const out = join(shop, '.proofboard', 'runs', 'arms')
  const run = await proofboard('run', '--config', file, '--repetitions', '1', '--out', out)
  expect(run.code, run.stderr).toBe(0)
  return { out, run }
}
