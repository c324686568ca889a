import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isRunnerError } from '../runner-error.ts'
import { PROJECT_ROOT } from './project-paths.ts'
import { digestApp, readWorkflowTask } from './read-workflow.ts'

const SUITE = join(PROJECT_ROOT, 'exercises', 'browser')
const APPS = join(SUITE, 'apps')
const TASK = JSON.parse(readFileSync(join(SUITE, 'shop-sort-wishes', 'task.json'), 'utf8'))

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'proofboard-test-')), 'sort')
  mkdirSync(folder)
  cpSync(join(SUITE, 'shop-sort-wishes', 'driver.ts'), join(folder, 'driver.ts'))
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

async function refusalOf(change: object): Promise<string> {
  writeFileSync(join(folder, 'task.json'), JSON.stringify({ ...TASK, ...change }))
  try {
    await readWorkflowTask(folder, (app) => digestApp(APPS, app))
    return ''
  } catch (error) {
    if (isRunnerError(error)) return error.message
    throw error
  }
}

it.each([
  [{}, ''],
  // A package of this project that is not an app, and a property that every object has.
  [{ app: 'zod' }, 'app: there is no app "zod"'],
  [{ app: 'constructor' }, 'app: there is no app "constructor"'],
  [{ app: 'server' }, 'app: there is no app "server"'],
  [
    { contract: [{ kind: 'no-dialogue' }] },
    "contract.0.kind: Invalid discriminator value. Expected 'state'",
  ],
  [
    { contract: [{ kind: 'state', path: 'orders', exactyl: [] }] },
    'contract.0: Unrecognized key: "exactyl"',
  ],
])('%j', async (change, words) => {
  const refusal = await refusalOf(change)
  expect(refusal).toContain(words)
  expect(refusal === '').toBe(words === '')
})
