import { expect, it } from 'vitest'
import { runCommand } from '../setup/process.mjs'

it.each([
  ['format and lint', 'lint'],
  ['import rules', 'cruise'],
  ['unused code', 'deadcode'],
  ['types', 'typecheck'],
])('%s: npm run %s', async (_, script) => {
  const { code, output } = await runCommand('npm', ['run', '--silent', script])
  expect(code, output).toBe(0)
})
