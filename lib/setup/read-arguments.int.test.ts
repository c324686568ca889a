import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** They start from a bundle, and read their options there. */
const BUNDLED = ['bench', 'fault-matrix', 'proofboard', 'test:kill']

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}
const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const [program, ...args] = command.split(' ')
  return program === 'node' && !BUNDLED.includes(name) ? [{ name, args }] : []
})

type Ending = { code: number; stdout: string; stderr: string }

function run(args: readonly string[]): Promise<Ending> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

describe.each(commands)('npm run $name', ({ args }) => {
  it('refuses an option it does not know, and starts nothing', async () => {
    const { code, stdout, stderr } = await run([...args, '--nonsense'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('npm ')
    expect(stderr).not.toContain('    at ')
  })
})

it('knows the commands it is about', () => {
  expect(commands.length).toBeGreaterThan(12)
})
