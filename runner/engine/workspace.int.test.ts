import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { exerciseForAgents } from '../kinds/exercise/for-agents.ts'
import { readTaskFolder } from '../suites/read-task-folder.ts'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { collectSolution } from './evaluate-contract.ts'
import type { Workspace } from './workspace.ts'
import { diffWorkspace, prepareWorkspace, restoreProtected, walkWorkspace } from './workspace.ts'

let root: string
let task: LoadedExercise
let place: Workspace

function plant(path: string, text: string): void {
  const target = join(root, 'sum', path)
  mkdirSync(join(target, '..'), { recursive: true })
  writeFileSync(target, text)
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
  plant('.docs/instructions.md', '# Sum')
  plant('sum.ts', 'export const sum = 0\n')
  plant('sum.test.ts', "it('adds', () => {})\n")
  plant(
    '.meta/config.json',
    JSON.stringify({
      files: { solution: ['sum.ts'], test: ['sum.test.ts'], example: ['.meta/reference.ts'] },
    }),
  )
  plant('.meta/reference.ts', 'export const sum = 1\n')
  plant('package.json', '{"type":"module"}')
  const folder = readTaskFolder(join(root, 'sum'))
  task = {
    ...folder,
    forAgents: exerciseForAgents,
    task: { ...folder.draft, digest: digestBytes('sum'), expectedTests: ['adds'] },
  }
  place = await prepareWorkspace(task, root)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const inWorkspace = (path: string) => join(place.workspace, path)

describe('prepareWorkspace', () => {
  it('gives instructions, stub and tests, and nothing of .meta', () => {
    expect(readFileSync(inWorkspace('sum.ts'), 'utf8')).toBe('export const sum = 0\n')
    expect(readFileSync(inWorkspace('.docs/instructions.md'), 'utf8')).toBe('# Sum')
    expect(() => readFileSync(inWorkspace('.meta/reference.ts'))).toThrow('ENOENT')
  })

  it('gives every attempt a folder of its own', async () => {
    writeFileSync(inWorkspace('left-over.txt'), 'from attempt 1')
    const next = await prepareWorkspace(task, root)
    expect(next.workspace).not.toBe(place.workspace)
    expect(() => readFileSync(join(next.workspace, 'left-over.txt'))).toThrow('ENOENT')
  })
})

describe('restoreProtected', () => {
  it('is silent when only the solution changed', async () => {
    writeFileSync(inWorkspace('sum.ts'), 'export const sum = 2\n')
    writeFileSync(inWorkspace('notes.txt'), 'my notes')
    expect(await restoreProtected(task, place.workspace)).toEqual([])
  })

  it('puts back what was changed, deleted or replaced by a link, and names planted configuration', async () => {
    writeFileSync(inWorkspace('sum.test.ts'), "it('lies', () => {})\n")
    rmSync(inWorkspace('.docs'), { recursive: true })
    rmSync(inWorkspace('package.json'))
    symlinkSync('/etc/passwd', inWorkspace('package.json'))
    writeFileSync(inWorkspace('jest.config.cjs'), 'module.exports = {}')
    expect(await restoreProtected(task, place.workspace)).toEqual([
      { path: '.docs/instructions.md', change: 'deleted' },
      { path: 'package.json', change: 'replaced-by-link' },
      { path: 'sum.test.ts', change: 'modified' },
      { path: 'jest.config.cjs', change: 'added' },
    ])
    expect(readFileSync(inWorkspace('sum.test.ts'), 'utf8')).toBe("it('adds', () => {})\n")
    expect(readFileSync(inWorkspace('package.json'), 'utf8')).toBe('{"type":"module"}')
  })

  it('never writes through a linked folder', async () => {
    const outside = join(root, 'outside')
    mkdirSync(outside)
    rmSync(inWorkspace('.docs'), { recursive: true })
    symlinkSync(outside, inWorkspace('.docs'))
    await restoreProtected(task, place.workspace)
    expect(() => readFileSync(join(outside, 'instructions.md'))).toThrow('ENOENT')
  })
})

describe('collectSolution', () => {
  it('takes the declared file and nothing else', async () => {
    writeFileSync(inWorkspace('sum.ts'), 'mine')
    writeFileSync(inWorkspace('other.ts'), 'not declared')
    expect(await collectSolution(task, place.workspace)).toEqual({
      files: [{ path: 'sum.ts', text: 'mine' }],
      missing: [],
      findings: [],
    })
  })

  it.each([
    ['a symbolic link', () => symlinkSync('/etc/passwd', inWorkspace('sum.ts'))],
    [
      'a hard link',
      () => linkSync(join(root, 'sum', '.meta', 'reference.ts'), inWorkspace('sum.ts')),
    ],
  ])('refuses %s as a finding', async (_, make) => {
    rmSync(inWorkspace('sum.ts'))
    make()
    const { files, findings } = await collectSolution(task, place.workspace)
    expect(files).toEqual([])
    expect(findings[0]?.code).toBe('solution-is-link')
  })

  it('says that a link inside of the workspace is not taken, without calling it tampering', async () => {
    rmSync(inWorkspace('sum.ts'))
    symlinkSync('other.ts', inWorkspace('sum.ts'))
    expect(await collectSolution(task, place.workspace)).toEqual({
      files: [],
      missing: ['sum.ts (is a link)'],
      findings: [],
    })
  })

  it('refuses a workspace that was swapped for a link', async () => {
    rmSync(place.workspace, { recursive: true })
    symlinkSync(join(root, 'sum'), place.workspace)
    expect((await collectSolution(task, place.workspace)).findings[0]?.detail).toContain(
      'the workspace is a link',
    )
  })

  it.each([
    ['a named pipe', () => execFileSync('mkfifo', [inWorkspace('sum.ts')]), 'not a regular file'],
    ['a folder', () => mkdirSync(inWorkspace('sum.ts')), 'not a regular file'],
    ['two megabytes', () => writeFileSync(inWorkspace('sum.ts'), 'x'.repeat(2 << 20)), 'more than'],
    ['nothing', () => {}, 'sum.ts'],
  ])('treats %s as a missing solution, without hanging', async (_, make, words) => {
    rmSync(inWorkspace('sum.ts'))
    make()
    const { files, missing } = await collectSolution(task, place.workspace)
    expect(files).toEqual([])
    expect(missing[0]).toContain(words)
  })
})

describe('diffWorkspace', () => {
  it('says nothing wrong of what a flood of files hides, and a steering file is found beside it', async () => {
    mkdirSync(inWorkspace('zzz'))
    for (let at = 0; at < 5000; at++) writeFileSync(inWorkspace(`zzz/${at}`), '')
    writeFileSync(inWorkspace('jest.config.js'), '')
    expect(await diffWorkspace(task, place.workspace)).not.toContain('instructions.md')
    expect(await restoreProtected(task, place.workspace)).toEqual([
      { path: 'jest.config.js', change: 'added' },
    ])
  })

  it('does not follow a flood of folders to its end, and says so', async () => {
    for (let at = 0; at < 10; at++) mkdirSync(inWorkspace(`${at}`))
    expect(await walkWorkspace(place.workspace, 5000, 30)).toMatchObject({ truncated: false })
    expect(await walkWorkspace(place.workspace, 5000, 9)).toMatchObject({ truncated: true })
  })

  it('shows changed, added and deleted text, and only names links and binaries', async () => {
    writeFileSync(inWorkspace('sum.ts'), 'export const sum = 2\n')
    writeFileSync(inWorkspace('new.txt'), 'hello\n')
    writeFileSync(inWorkspace('blob'), Buffer.from([1, 0, 2]))
    symlinkSync('/etc/passwd', inWorkspace('link'))
    rmSync(inWorkspace('package.json'))
    const diff = await diffWorkspace(task, place.workspace)
    for (const part of [
      '-export const sum = 0',
      '+export const sum = 2',
      '+hello',
      'blob is binary (3 bytes)',
      'link is a link',
      '-{"type":"module"}',
    ]) {
      expect(diff).toContain(part)
    }
    expect(diff).not.toContain('root:')
  })

  it("only counts what the agent's own program leaves, and never hides a file of the task", async () => {
    mkdirSync(inWorkspace('.agent'))
    writeFileSync(inWorkspace('.agent/state.json'), '{}\n')
    writeFileSync(inWorkspace('.agent-too'), 'work\n')
    writeFileSync(inWorkspace('sum.ts'), 'export const sum = 2\n')
    const diff = await diffWorkspace(task, place.workspace, ['.agent/', 'sum.ts'])
    expect(diff).toContain("Only counted: 1 left by the agent's own program\n")
    expect(diff).not.toContain('state.json')
    expect(diff).toContain('+work')
    expect(diff).toContain('+export const sum = 2')
  })

  it('is empty when nothing changed', async () => {
    expect(await diffWorkspace(task, place.workspace)).toBe('')
  })

  it('ends in time on two large unlike files', async () => {
    const lines = (seed: number) =>
      Array.from({ length: 8000 }, (_, at) => `${(at * seed) % 9973}`).join('\n')
    writeFileSync(inWorkspace('sum.ts'), lines(7919))
    expect((await diffWorkspace(task, place.workspace)).length).toBeGreaterThan(0)
  })
})
