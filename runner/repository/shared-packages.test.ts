import { expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { splitBase } from './shared-packages.ts'
import type { TreeEntry } from './tree.ts'

const file = (path: string): TreeEntry => {
  return { kind: 'file', path, executable: false, digest: digestBytes(path), size: 1 }
}
const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => file(`${folder}/${at}.js`))

const LARGE = ['node_modules/large', 'node_modules/@scope', 'node_modules/.pnpm', '.venv/lib']
const COPIED = [
  file('package.json'),
  file('node_modules/.package-lock.json'),
  ...filesOf('node_modules/small', 3),
  ...filesOf('node_modules/.cache', 30),
  ...filesOf('test/node_modules/fixture', 30),
  ...filesOf('src', 30),
]
const ENTRIES = [...COPIED, ...LARGE.flatMap((folder) => filesOf(folder, 30))]

it('shares large installed packages, and copies the repository, small packages and caches', () => {
  const { copied, shared } = splitBase(ENTRIES, [])
  expect([...shared].sort()).toEqual([...LARGE].sort())
  expect(copied).toEqual(COPIED)
})

it('copies a package that a change touches', () => {
  for (const path of ['node_modules/large/0.js', 'node_modules/large']) {
    const { copied, shared } = splitBase(ENTRIES, [{ path }])
    expect([...shared].sort()).toEqual(LARGE.filter((one) => !path.startsWith(one)).sort())
    expect(copied).toHaveLength(COPIED.length + 30)
  }
})

it('copies everything if a change replaces the folder of the packages', () => {
  const { shared } = splitBase(ENTRIES, [{ path: 'node_modules' }])
  expect(shared).toEqual(['.venv/lib'])
})

it('shares no more packages than a sandbox mounts quickly, the largest ones', () => {
  const many = Array.from({ length: 500 }, (_, at) => filesOf(`node_modules/p${at}`, 10)).flat()
  const { shared } = splitBase([...many, ...filesOf('node_modules/z', 20)], [])
  expect(shared).toHaveLength(400)
  expect(shared[0]).toBe('node_modules/z')
})
