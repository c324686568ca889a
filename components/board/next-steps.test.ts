import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { claimCommands } from './next-steps.tsx'

it('says the commands of the README, letter by letter', () => {
  const readme = readFileSync('README.md', 'utf8')
  for (const line of claimCommands('typescript')) expect(readme).toContain(`\n${line}`)
})
