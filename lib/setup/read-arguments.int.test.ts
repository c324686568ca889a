import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Commands that start from a bundle and read their options there. */
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

/** The most frequent commands; the others read their options by the same code. */
const DAILY = ['start', 'test', 'dev', 'demo']
const isDaily = ({ name }: { name: string }) => DAILY.includes(name)
const REFUSES = 'npm run $name refuses an option it does not know, and starts nothing'
it.each(commands.filter(isDaily))(REFUSES, refuse)
it.each(commands.filter((one) => !isDaily(one)))(REFUSES, { tags: 'night' }, refuse)

async function refuse({ args }: { args: readonly string[] }): Promise<void> {
  const { code, stdout, stderr } = await run([...args, '--nonsense'])
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('npm ')
  expect(stderr).not.toContain('    at ')
}

it('knows the commands it is about', () => {
  expect(commands.length).toBeGreaterThan(12)
})
