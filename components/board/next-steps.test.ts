import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { claimCommands, libraryCommand } from './next-steps.tsx'

it('says the commands of the README, letter by letter', () => {
  const readme = readFileSync('README.md', 'utf8')
  const lines = [...claimCommands('typescript'), libraryCommand('browser')]
  for (const line of lines) expect(readme).toContain(`\n${line}`)
})
