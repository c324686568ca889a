import { expect, it } from 'vitest'
import { digestBytes } from '#lib/domain/digest/index.ts'
import { splitBase } from './shared-packages.ts'
import type { TreeEntry } from './tree.ts'

const file = (path: string): TreeEntry => {
  return { kind: 'file', path, executable: false, digest: digestBytes(path), size: 1 }
}
const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => file(`${folder}/${at}.js`))

const PACKAGES = [
  file('node_modules/.package-lock.json'),
  ...filesOf('node_modules/small', 3),
  ...filesOf('node_modules/.pnpm', 3),
]
const VENV = filesOf('.venv/lib', 3)
const COPIED = [
  file('package.json'),
  ...filesOf('node_modules/.cache', 3),
  ...filesOf('test/node_modules/fixture', 3),
  ...filesOf('src', 3),
]
const ENTRIES = [...COPIED, ...PACKAGES, ...VENV]

it('shares installed packages, and copies the repository and caches', () => {
  const { copied, shared } = splitBase(ENTRIES, [{ path: 'src/0.js' }])
  expect(shared).toEqual(['node_modules', '.venv'])
  expect(copied).toEqual(COPIED)
})

it.each(['node_modules/small/0.js', 'node_modules'])(
  'copies packages that a change touches: %s',
  (path) => {
    const { copied, shared } = splitBase(ENTRIES, [{ path }])
    expect(shared).toEqual(['.venv'])
    expect(copied).toEqual([...COPIED, ...PACKAGES])
  },
)
