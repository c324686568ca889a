import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { projectFileOf } from './run-project.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofboard-project-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is read where nothing else names a suite, and only if it is there', () => {
  expect(projectFileOf({}, folder)).toBeNull()
  const file = join(folder, 'proofboard.yaml')
  writeFileSync(file, '')
  expect(projectFileOf({}, folder)).toBe(file)
  expect(projectFileOf({ subject: 'nop' }, folder)).toBe(file)
  for (const named of [
    { suite: 'typescript' },
    { plan: 'plan.json' },
    { dataset: 'v1' },
    { allAgents: true },
  ])
    expect(projectFileOf(named, folder)).toBeNull()
  expect(projectFileOf({ suite: 'typescript', config: 'other.yaml' }, folder)).toBe('other.yaml')
  expect(() => projectFileOf({ plan: 'plan.json', config: 'other.yaml' }, folder)).toThrow(
    'remove --config',
  )
})
