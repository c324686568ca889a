import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

type Lock = { packages: Record<string, { hasInstallScript?: boolean }> }

/** Packages with an install script, and why none of these needs a compiler. */
const REVIEWED: Record<string, string> = {
  '@photostructure/sqlite': 'takes the binary for this machine that lies in the package',
  '@prisma/engines': 'would fetch programs that we do not use; npm is told not to run it',
  prisma: 'looks at the version of node; npm is told not to run it',
  esbuild: 'puts the program of its own platform package in place',
  'agent-browser': 'makes a program executable that lies in the package',
  edgedriver: 'fetches a driver only when a variable asks for it',
  geckodriver: 'fetches a driver only when a variable asks for it',
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

it('no package is compiled: every install script was looked at, and SQLite brings its binaries', () => {
  const { packages }: Lock = read('package-lock.json')
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([path]) => path.split('node_modules/').at(-1) ?? '')
  expect([...new Set(names)].sort()).toEqual(Object.keys(REVIEWED).sort())
  const folder = 'node_modules/@photostructure/sqlite/prebuilds'
  for (const machine of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64']) {
    expect(existsSync(join(folder, machine)), machine).toBe(true)
    expect(readdirSync(join(folder, machine)).some((name) => name.endsWith('.node'))).toBe(true)
  }
})
