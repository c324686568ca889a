import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { LIBRARIES } from '../registry.ts'
import { countAdapterLines } from './measure-library.ts'

it.each(LIBRARIES.map(({ name }) => name))('%s has an adapter file of its name', async (name) => {
  expect(existsSync(join(PROJECT_ROOT, 'runner', 'libraries', `${name}.ts`))).toBe(true)
  expect(await countAdapterLines(`${name}.ts`)).toBeGreaterThan(50)
})

it('counts what an adapter imports beside its own file', async () => {
  const own = await countAdapterLines('mcp/ref-page.ts')
  expect(await countAdapterLines('playwright-mcp.ts')).toBeGreaterThan(own)
})
